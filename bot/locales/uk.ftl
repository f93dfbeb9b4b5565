# The bot's own words in Ukrainian. The source, with a comment on where each text is shown, is en.ftl.
# Write: polite «ви» in lower case, «лапки», the apostrophe ’ (U+2019), no gendered past tense of the bot itself.
# One word a concept: вікторина (quiz), запитання (question), варіант (choice), відповідь (answer), спроба (attempt).

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Привітання та список вікторин
command-quiz = Вибрати вікторину
command-stop = Завершити й побачити результати
command-stats = Ваш прогрес
command-language = Вибрати мову
command-help = Що вміє цей бот

# At most 512 characters.
bot-description =
    Вікторини, які навчають. Кожне запитання — це опитування, а до кожної відповіді ви отримаєте пояснення й, де це доречно, кілька рядків коду.

    Натисніть кнопку внизу й виберіть вікторину.
# At most 120 characters.
bot-short-description = Вікторини, які пояснюють кожну відповідь.

## Greeting and list of quizzes

greeting = Вітаю, { $name }! Я ставлю запитання у вигляді опитувань і пояснюю кожну відповідь. Яку вікторину оберете?
quizzes-choose = Яку вікторину оберете?
quizzes-none = Вікторин тут поки що немає.
quiz-unknown = Такої вікторини немає.
quiz-button = { $title } · { $level } · { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
quiz-button-plain = { $title } · { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
# They agree with «рівень».
level-easy = легкий
level-medium = середній
level-hard = складний
button-previous = ← Назад
button-more = Ще →

## An attempt

attempt-begins = { $quiz } · { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
attempt-practice = Робота над помилками: «{ $quiz }» · { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
attempt-guide = Докладніше про тему: { $link }
# $place is like 3/8.
attempt-running = Ви ще не завершили вікторину «{ $quiz }»: запитання { $place }.
button-go-on = Продовжити { $place }
# $quiz may be another quiz than the one that is running.
button-anew = Нова спроба: { $quiz }
attempt-nothing-to-stop = Зараз жодна вікторина не триває. Виберіть якусь із цих:
question-refused = Telegram не прийняв цього запитання, тож я його пропускаю.
question-doubtful = Під час надсилання запитання обірвався зв’язок. Якщо вище ви його не бачите, я можу показати його ще раз.
button-show-again = Показати запитання
question-letters = Ваша відповідь? ({ $place })

## The answer to a vote

answer-right = ✅ Правильно
answer-wrong = ❌ Не зовсім
# $choices: the right choices, separated by "; ".
answer-solution = Правильна відповідь: { $choices }
answer-prints = Код виводить:
answer-source = Джерело: { $source }
button-next = Далі { $place }
button-results = Результати
vote-not-counted = Цю вікторину вже завершено, тож відповідь не зараховано.

## Results

results-title = Результати: { $quiz }
results-score = Правильних відповідей: { $right } з { $questions }
results-all-right = Усе правильно. Чудова робота!
results-missed = До цього варто повернутися:
results-link = Поділіться цією вікториною: { $link }
button-practise = Робота над помилками ({ $questions })
button-again = Ще раз
button-quizzes = Інші вікторини

## Statistics

stats-title = Ваш прогрес
stats-none = Ви ще не відповіли на жодне запитання. Виберіть вікторину:
stats-attempts = Спроб: { $number }
stats-answers = Відповідей: { $number }
stats-right = Правильних відповідей: { $number }
stats-accuracy = Точність: { $percent }

## Language

language-choose = Якою мовою вам зручніше?
language-chosen = Відтепер я говорю українською.
language-unknown = Цією мовою я ще не говорю. Ось ті, які я знаю:

## Help and everything else

help-title = Що я розумію:
help-link = Посилання, за яким ваші друзі одразу почнуть вікторину: { $link }
hint = Виберіть відповідь в опитуванні або надішліть /quiz, щоб вибрати вікторину. Усе, що я вмію, — у /help.
forwarded-poll = Правильної відповіді в пересланому опитуванні мені не видно, тож поставити таке запитання я не можу. Мої власні вікторини — за командою /quiz.
# At most 200 characters.
button-old = Ця кнопка — від одного з попередніх запитань. Щоб продовжити, надішліть /quiz.
chat-not-allowed = Я працюю лише в певних чатах. Зверніться, будь ласка, до того, хто опікується цим ботом.
group-private = Запитання я ставлю в приватному чаті.
button-open-private = Відкрити приватний чат
trouble = У мене стався збій; ті, хто мною опікується, вже знають про нього. Спробуйте, будь ласка, ще раз.
