# The bot's own words. One file a language, named by its BCP 47 tag.
# A text is looked up by its name; one that a language lacks is shown in the default language.
# Texts go out as plain words: no HTML here.

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Greeting and quizzes
command-quiz = Choose a quiz
command-stop = Stop and see the results
command-review = Repeat what is due
command-stats = How far you got
command-remind = A daily reminder
command-timezone = Your time zone
command-mydata = All that is stored about you
command-forget = Delete all that is stored about you
command-language = Choose the language
command-help = What this bot can do
# In groups only.
command-skip = Show the answer now
command-pause = Pause after this question
command-top = This group's table
command-stats-group = This group's numbers
command-settings = Settings of this group

# What people read in the empty chat before they start. At most 512 characters.
bot-description =
    Quizzes that teach. Each question is a poll; each vote is answered with an explanation and, where it helps, a few lines of code.

    Press Start and choose a quiz.
# Shown in the bot's profile and when its link is shared. At most 120 characters.
bot-short-description = Quizzes that explain every answer.

## Greeting and list of quizzes

# $name is the learner's first name as they wrote it.
greeting = Hello, { $name }! I ask questions as polls and explain every answer. Which quiz would you like?
quizzes-choose = Which quiz would you like?
quizzes-none = There are no quizzes here yet.
# The payload or argument named a quiz that does not exist.
quiz-unknown = There is no such quiz.
# One quiz on a button, as in "Gradient clipping · medium · 8 questions".
quiz-button = { $title } · { $level } · { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}
# The same where the quiz has no level.
quiz-button-plain = { $title } · { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}
level-easy = easy
level-medium = medium
level-hard = hard
button-previous = ← Back
button-more = More →

## An attempt

# First line of a quiz, before its first question. $quiz is the title.
attempt-begins = { $quiz } · { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}
attempt-practice = Practice: { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
} from “{ $quiz }”
attempt-guide = Read more: { $link }
# A new quiz was asked for while one is running. $place is like 3/8.
attempt-running = You are in the middle of “{ $quiz }”, question { $place }.
button-go-on = Go on { $place }
button-anew = Begin anew: { $quiz }
attempt-nothing-to-stop = No quiz is running. Choose one:
# Shown instead of a question that can't be sent.
question-refused = Telegram would not take this question, so it is left out.
# It is unknown whether the question arrived.
question-doubtful = The connection failed while I was sending a question. If you don't see it above, I can show it again.
button-show-again = Show the question
# The poll's question where the whole question stands in the message before it.
question-letters = Your answer? ({ $place })

## The answer to a vote

answer-right = ✅ Right
answer-wrong = ❌ Not quite
# $choices: the right choices, separated by "; ".
answer-solution = Right: { $choices }
# Before what the snippet of code prints.
answer-prints = It prints:
answer-source = Source: { $source }
button-next = Next { $place }
# Under an explanation: something is wrong with the question.
button-report = Report a mistake
# A notice after that button.
report-thanks = Thank you! The people who run me will look at it.
button-results = Results
vote-not-counted = This quiz was already over, so the vote does not count.

## Results

results-title = Results: { $quiz }
results-score = Right answers: { $right } of { $questions }
results-all-right = Everything right. Well done!
results-missed = Worth another look:
results-link = Share this quiz: { $link }
button-practise = Practise what I missed ({ $questions })
button-again = Once more
button-quizzes = Other quizzes

## Statistics

stats-title = Your progress
stats-none = You have not answered a question yet. Choose a quiz:
# $number is how many attempts at quizzes were begun.
stats-attempts = Attempts: { $number }
stats-finished = Quizzes finished: { $number }
stats-answers = Answers: { $number }
stats-right = Right answers: { $number }
# $percent is a whole number with its sign, formatted for the language. An arrow may follow.
stats-accuracy = Accuracy: { $percent }
# Headings of two blocks of numbers.
stats-week = This week
stats-ever = All time
stats-streak = Streak: { $days ->
    [one] { $days } day
   *[other] { $days } days
}
stats-best-streak = Best streak: { $days ->
    [one] { $days } day
   *[other] { $days } days
}
# Heading of a list of quizzes, each with a bar and a percentage: how much of it is known for weeks.
stats-mastery = Mastery
stats-strongest = Strongest: { $quiz }
stats-weakest = Weakest: { $quiz }
# Heading of a list of questions.
stats-hardest = Hardest questions
# Questions that should be repeated now.
stats-due = Due now: { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}
stats-nothing-due = Nothing is due now.
button-picture = As a picture
# Words on the picture of /stats, as short as possible: they stand on one line. The headings have at
# most 28 characters, the words before the legend of the calendar at most 24.
picture-accuracy = Right answers
picture-days = Days with answers
picture-answers-a-day = Answers a day:
picture-mastery = Mastery of quizzes

## Review

# What a review is called where a quiz's title stands otherwise, as in "You are in the middle of “Review”".
review-title = Review
button-review = Review what is due
# A learner who has not answered anything yet sent /review.
review-new = Every question that you answer comes back here when you are about to forget it: a wrong one after minutes, a right one after days, then ever later. Begin with a quiz, and the first questions will be due soon.
# $when is a date and time, as in "3 March, 09:10".
review-nothing = Nothing is due now. The next question comes on { $when }.
forecast-today = Later today: { $questions }
forecast-tomorrow = Tomorrow: { $questions }
forecast-this-week = In the five days after: { $questions }

## Time zone and reminders

# $zone is a name such as Europe/Kyiv, here and below.
timezone-choose = Your days are counted in { $zone }; a day begins at 04:00. Choose another zone, or send one such as /timezone Europe/Kyiv.
timezone-unknown = There is no such time zone. Perhaps one of these?
# $time is what clocks there show now, as in 19:05.
timezone-chosen = From now on your days are counted in { $zone }. It is { $time } there.
remind-choose = When shall I remind you? Once a day at most, and only when something is due or your streak is at risk. You can also send a time such as /remind 19:00.
remind-is-on = I remind you at { $time }. Choose another time, or none.
remind-unknown = I did not understand the time. Send one such as /remind 19:00, or choose:
remind-on = I will remind you at { $time } ({ $zone }), when something is due or your streak is at risk.
remind-off = No more reminders.
button-remind-off = No reminders
# The reminders themselves.
reminder-due = { $questions ->
    [one] { $questions } question is
   *[other] { $questions } questions are
} due. A few minutes now keep them in memory.
reminder-streak = Your streak of { $days ->
    [one] { $days } day
   *[other] { $days } days
} ends unless you answer a question today.

## One's own data

# Under the file that /mydata sends.
mydata-caption = All that is stored about you. /forget deletes it.
forget-ask = Shall I delete all that is stored about you: answers, progress, streak, reminders? Groups keep the numbers of their tables, without your name. This cannot be undone.
button-forget = Delete everything
button-keep = Keep it
forget-done = Everything is deleted. When you write to me again, we begin anew.

## Language

language-choose = Which language do you prefer?
# Said in the language that was just chosen.
language-chosen = From now on I speak English.
language-unknown = I don’t speak that language yet. These I do:

## Help and everything else

help-title = What I understand:
help-link = A link that starts a quiz for a friend: { $link }
hint = Vote in a poll, or send /quiz to choose a quiz. /help shows what I can do.
forwarded-poll = I can’t see the right answer of a forwarded poll, so I can’t ask it. Send /quiz for my own quizzes.
# A button from an old message was pressed. At most 200 characters.
button-old = This button is from an earlier question. Send /quiz to go on.
chat-not-allowed = I am reserved for certain chats. Please ask the one who runs me.
trouble = Something went wrong on my side; the people who run me know of it. Please try again.
# More was sent in a private chat than can be answered soon. Then, at most 200 characters, for pressed buttons.
too-fast = Not so fast, please: Telegram lets me send only a message a second. Some of what you sent has no answer; if you still need one, send it again in a moment.
too-fast-button = One moment, please: I am still sending what you asked for. Press again after that.

## A round in a group: the lobby

# First line of the lobby. $quiz is the title.
lobby-title = A round of “{ $quiz }”
# One of the facts in the second line, as in "medium · 8 questions · 30 s each".
lobby-questions = { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}
lobby-seconds = { $seconds } s each
lobby-empty = Nobody is in yet.
# $names is a list of names, separated by commas.
lobby-players = In ({ $players }): { $names }
lobby-begun = The round has begun.
lobby-closed = Closed: nobody started it.
button-join = Join
# A choice of the time for a question, short.
button-seconds = { $seconds } s
# Choices of how many questions, short: "All 8", "5".
button-all-questions = All { $questions }
button-few-questions = { $questions } questions
button-start = Start
# Notices after a pressed button.
round-joined = You are in.
round-joined-already = You are in already.

## A round in a group: questions

# $right of $voters answered right; both are numbers.
reveal-count = { $right } of { $voters } right.
# Follows the text above. $seconds is a decimal number.
reveal-fastest = Fastest: { $name } ({ $seconds } s).
reveal-nobody = Nobody voted.
# The question was changed or removed while it was asked.
reveal-gone = This question was changed meanwhile, so there is no explanation. Votes: { $voters }.
explanation-gone = There is no explanation to show for that question.
button-my-language = In my language
round-will-pause = I will pause after this question.
round-paused = The round is paused.
round-paused-silence = Nobody has voted for a while, so the round is paused.
button-resume = Go on { $place }
round-running = A round is running here already.
round-none = No round is running here. /quiz opens one.
round-not-yours = Only who opened the round and admins can do that.
round-admins-only = In this group only admins open a round.
round-nothing-to-skip = There is no question to skip.
round-nothing-to-pause = There is nothing to pause.
# Told in private to who opened the round. $reason is Telegram's, in English.
round-broken-off = The round that you opened had to end: Telegram does not let me go on there ({ $reason }).

## A round in a group: results

round-results-title = Results of “{ $quiz }”
round-results-nobody = Nobody voted in this round.
# One line of the table, after the name: "6 of 8, 41.5 s".
round-score = { $right } of { $questions }, { $seconds } s
# $question is the question itself.
round-hardest = Hardest: { $question }
button-full-list = All { $players } places
button-rematch = Rematch
# For an account without a name.
name-unknown = (no name)

## A group's table, settings and numbers

top-nobody = Nobody has played a round here yet. /quiz opens one.
top-week = This week
top-ever = All time
# One line of the table, after the name.
top-score = { $right } right of { $answers }
settings-openers = Who may open a round in this group?
button-openers-all = Everybody
button-openers-admins = Only admins
settings-openers-all = From now on everybody may open a round.
settings-openers-admins = From now on only admins open a round.
group-admins-only = Only admins of this group can do that.
# $members people have answered $answers questions, $right of them right.
group-stats = In this group’s rounds: { $members ->
    [one] { $members } member
   *[other] { $members } members
}, { $answers ->
    [one] { $answers } answer
   *[other] { $answers } answers
}, { $right } right.
button-own-stats = My own progress
# A command that is a learner's own business was sent in a group.
group-private = That is between the two of us: let us talk in private.
button-open-private = Open the private chat
# A button from an old message was pressed in a group. At most 200 characters.
button-old-in-group = This button is out of date. /quiz opens a round.
