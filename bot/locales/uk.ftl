# The bot's own words in Ukrainian. The source, with a comment on where each text is shown, is en.ftl.
# Write: polite «ви» in lower case, «лапки», the apostrophe ’ (U+2019), no gendered past tense of the bot itself.
# One word a concept: вікторина (quiz), запитання (question), варіант (choice), відповідь (answer), спроба (attempt),
# гра (round). A round is opened with «створити», begun with «почати».

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Привітання та список вікторин
command-quiz = Вибрати вікторину
command-stop = Завершити й побачити результати
command-stats = Ваш прогрес
command-language = Вибрати мову
command-help = Що вміє цей бот
# In groups only.
command-skip = Показати відповідь, не чекаючи
command-pause = Пауза після цього запитання
command-top = Таблиця лідерів групи
command-settings = Налаштування групи

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
trouble = У мене стався збій; ті, хто мною опікується, вже знають про нього. Спробуйте, будь ласка, ще раз.

## A round in a group: the lobby

lobby-title = Нова гра: «{ $quiz }»
lobby-questions = { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
lobby-seconds = { $seconds } с на запитання
lobby-empty = У грі поки що нікого немає.
lobby-players = У грі ({ $players }): { $names }
lobby-begun = Гра почалася.
lobby-closed = Закрито: гру ніхто не почав.
button-join = Приєднатися
button-seconds = { $seconds } с
button-all-questions = Усі { $questions }
button-few-questions = { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
button-start = Почати
round-joined = Ви в грі.
round-joined-already = Ви вже в грі.

## A round in a group: questions

reveal-count = Правильно відповіли: { $right } з { $voters }.
# Follows the text above. $seconds is a decimal number.
reveal-fastest = Найшвидше: { $name } ({ $seconds } с).
reveal-nobody = Ніхто не відповів.
reveal-gone = Це запитання тим часом змінили, тож пояснення не буде. Відповідей: { $voters }.
explanation-gone = Пояснення до цього запитання немає.
button-my-language = Моєю мовою
round-will-pause = Після цього запитання зроблю паузу.
round-paused = Гра на паузі.
round-paused-silence = Уже якийсь час ніхто не відповідає, тож гра на паузі.
button-resume = Продовжити { $place }
round-running = Тут уже триває гра.
round-none = Зараз тут ніхто не грає. Щоб створити гру, надішліть /quiz.
round-not-yours = Це можуть зробити лише адміни й той, хто створив гру.
round-admins-only = У цій групі ігри створюють лише адміни.
round-nothing-to-skip = Зараз немає запитання, яке можна пропустити.
round-nothing-to-pause = Зараз немає чого ставити на паузу.
# $reason is in English.
round-broken-off = Створену вами гру довелося завершити: Telegram не дає мені продовжити її в тому чаті ({ $reason }).

## A round in a group: results

round-results-title = Результати гри «{ $quiz }»
round-results-nobody = У цій грі відповідей не було.
# After the name. No comma before $seconds: the number has one itself.
round-score = { $right } з { $questions } · { $seconds } с
round-hardest = Найскладніше запитання: { $question }
button-full-list = Уся таблиця ({ $players })
button-rematch = Реванш
name-unknown = (без імені)

## A group's table, settings and numbers

top-nobody = Тут ще ніхто не грав. Щоб створити гру, надішліть /quiz.
top-week = За цей тиждень
top-ever = За весь час
# After the name.
top-score = { $right } з { $answers } правильно
settings-openers = Хто може створювати ігри в цій групі?
button-openers-all = Усі
button-openers-admins = Лише адміни
settings-openers-all = Відтепер створювати ігри можуть усі.
settings-openers-admins = Відтепер створювати ігри можуть лише адміни.
group-admins-only = Це можуть зробити лише адміни групи.
group-stats = В іграх цієї групи: { $members ->
    [one] { $members } учасник
    [few] { $members } учасники
    [many] { $members } учасників
   *[other] { $members } учасника
}, { $answers ->
    [one] { $answers } відповідь
    [few] { $answers } відповіді
    [many] { $answers } відповідей
   *[other] { $answers } відповіді
}, правильних — { $right }.
button-own-stats = Мій прогрес
# At most 200 characters.
button-old-in-group = Ця кнопка вже не діє. Щоб створити гру, надішліть /quiz.
