# The bot's own words. One file a language, named by its BCP 47 tag.
# A text is looked up by its name; one that a language lacks is shown in the default language.
# Texts go out as plain words: no HTML here.

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Greeting and quizzes
command-quiz = Choose a quiz
command-stop = Stop and see the results
command-stats = How far you got
command-language = Choose the language
command-help = What this bot can do

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
stats-attempts = Attempts: { $number }
stats-answers = Answers: { $number }
stats-right = Right answers: { $number }
# $percent is a whole number with its sign, formatted for the language.
stats-accuracy = Accuracy: { $percent }

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
# In a group.
group-private = I ask questions in a private chat.
button-open-private = Open the private chat
trouble = Something went wrong on my side; the people who run me know of it. Please try again.
