# The bot's own words in Ukrainian. The source, with a comment on where each text is shown, is en.ftl.
# Write: polite «ви» in lower case, «лапки», the apostrophe ’ (U+2019), no gendered past tense of the bot itself.
# One word a concept: вікторина (quiz), запитання (question), варіант (choice), відповідь (answer), спроба (attempt),
# гра (round), повторення (review), серія (streak). A round is opened with «створити», begun with
# «почати».

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Привітання та список вікторин
command-quiz = Вибрати вікторину
command-stop = Завершити й побачити результати
command-review = Повторити, поки не забулося
command-stats = Ваш прогрес
command-remind = Щоденне нагадування
command-timezone = Ваш часовий пояс
command-mydata = Показати всі дані про вас
command-forget = Видалити всі дані про вас
command-language = Вибрати мову
command-help = Що вміє цей бот
# In groups only.
command-skip = Показати відповідь, не чекаючи
command-pause = Пауза після цього запитання
command-top = Таблиця лідерів групи
command-stats-group = Статистика групи
command-settings = Налаштування групи

# At most 512 characters.
bot-description =
    Вікторини, які навчають. Кожне запитання — це опитування, а до кожної відповіді ви отримаєте пояснення й, де це доречно, кілька рядків коду.

    Натисніть кнопку внизу й виберіть вікторину.
# At most 120 characters.
bot-short-description = Вікторини, які пояснюють кожну відповідь.

## Greeting and list of quizzes

greeting = Вітаю, { $name }! Я ставлю запитання у вигляді опитувань і пояснюю кожну відповідь. Яку вікторину виберете?
quizzes-choose = Яку вікторину виберете?
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
# $quiz may be «Повторення», $place is like 3/8.
attempt-running = Ви ще не завершили «{ $quiz }»: запитання { $place }.
button-go-on = Продовжити { $place }
# $quiz may be another quiz than the one that is running, or «Повторення».
button-anew = Нова спроба: { $quiz }
attempt-nothing-to-stop = Зараз немає чого завершувати. Виберіть вікторину:
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
button-report = Повідомити про помилку
# A notice after that button.
report-thanks = Дякую! Це перевірять ті, хто мною опікується.
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
stats-finished = Завершених вікторин: { $number }
stats-answers = Відповідей: { $number }
stats-right = Правильних відповідей: { $number }
# An arrow may follow.
stats-accuracy = Точність: { $percent }
# Headings of two blocks of numbers.
stats-week = За цей тиждень
stats-ever = За весь час
stats-streak = Серія: { $days ->
    [one] { $days } день
    [few] { $days } дні
    [many] { $days } днів
   *[other] { $days } дня
}
stats-best-streak = Найдовша серія: { $days ->
    [one] { $days } день
    [few] { $days } дні
    [many] { $days } днів
   *[other] { $days } дня
}
# Heading of a list of quizzes, each with a bar and a percentage.
stats-mastery = Засвоєння матеріалу
stats-strongest = Найкраще дається: { $quiz }
stats-weakest = Найважче дається: { $quiz }
stats-hardest = Найскладніші запитання
stats-due = Час повторити: { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}
stats-nothing-due = Зараз немає чого повторювати.
button-picture = Показати картинкою
# Headings on the picture: at most 28 characters, before the legend of the calendar at most 24.
picture-accuracy = Точність
picture-days = Дні з відповідями
picture-answers-a-day = Відповідей за день:
picture-mastery = Засвоєння матеріалу

## Review

# It stands where a quiz's title stands otherwise.
review-title = Повторення
button-review = Почати повторення
review-new = Кожне запитання, на яке ви відповісте, повертатиметься сюди, коли відповідь ось-ось забудеться: після помилки — за кілька хвилин, після правильної відповіді — за кілька днів, а далі — дедалі рідше. Почніть із вікторини, і невдовзі тут з’являться перші запитання.
# $when is like "3 березня, 09:10".
review-nothing = Зараз немає чого повторювати. Наступне запитання — { $when }.
forecast-today = Ще сьогодні: { $questions }
forecast-tomorrow = Завтра: { $questions }
# The five days after tomorrow, the last of a week that begins today.
forecast-this-week = Далі протягом тижня: { $questions }

## Time zone and reminders

# No «о» before $time: it would have to be «об» before 11:00.
timezone-choose = Дні я рахую за часовим поясом { $zone }. Новий день починається о 04:00. Виберіть інший пояс або надішліть його назву, наприклад: /timezone Europe/Kyiv.
timezone-unknown = Такого часового поясу немає. Може, ви мали на увазі один із цих?
timezone-chosen = Відтепер я рахую дні за часовим поясом { $zone }. Зараз там { $time }.
remind-choose = Коли вам нагадувати? Писатиму щонайбільше раз на день і лише тоді, коли є що повторити або серія під загрозою. Можна також надіслати час, наприклад: /remind 19:00.
remind-is-on = Час нагадувань — { $time }. Виберіть інший або вимкніть нагадування.
remind-unknown = Не можу розібрати час. Надішліть, наприклад, /remind 19:00 або виберіть нижче:
remind-on = Час нагадувань — { $time } ({ $zone }). Писатиму, якщо буде що повторити або серія опиниться під загрозою.
remind-off = Більше не нагадуватиму.
button-remind-off = Не нагадувати
reminder-due = Час повторити { $questions ->
    [one] { $questions } запитання
    [few] { $questions } запитання
    [many] { $questions } запитань
   *[other] { $questions } запитання
}. Кілька хвилин зараз — і нічого не забудеться.
reminder-streak = Ваша серія — { $days ->
    [one] { $days } день
    [few] { $days } дні
    [many] { $days } днів
   *[other] { $days } дня
}. Щоб вона не перервалася, дайте сьогодні відповідь хоча б на одне запитання.

## One's own data

# Under the file that /mydata sends.
mydata-caption = Це все, що я зберігаю про вас. Видалити ці дані можна командою /forget.
forget-ask = Видалити все, що я зберігаю про вас: відповіді, прогрес, серію, нагадування? У таблицях груп ваші результати залишаться, але без імені. Скасувати видалення буде неможливо.
button-forget = Видалити все
button-keep = Не видаляти
forget-done = Усе видалено. Коли напишете мені знову, почнемо з чистого аркуша.

## Language

language-choose = Якою мовою вам зручніше?
language-chosen = Відтепер я говорю українською.
language-unknown = Цією мовою я ще не говорю. Ось мови, які я знаю:

## Help and everything else

help-title = Що я вмію:
help-link = Посилання, за яким ваші друзі одразу почнуть вікторину: { $link }
hint = Виберіть відповідь в опитуванні або надішліть /quiz, щоб вибрати вікторину. Усе, що я вмію, — у /help.
forwarded-poll = Правильної відповіді в пересланому опитуванні мені не видно, тож поставити таке запитання я не можу. Мої власні вікторини — за командою /quiz.
# At most 200 characters.
button-old = Ця кнопка — від одного з попередніх запитань. Щоб продовжити, надішліть /quiz.
chat-not-allowed = Я працюю лише в певних чатах. Зверніться, будь ласка, до тих, хто мною опікується.
trouble = У мене стався збій. Ті, хто мною опікується, уже знають про нього. Спробуйте, будь ласка, ще раз.
# For pressed buttons below: at most 200 characters.
too-fast = Трохи повільніше, будь ласка: Telegram дозволяє мені лише одне повідомлення на секунду. Деякі ваші повідомлення лишилися без відповіді; якщо вона ще потрібна, надішліть їх знову через кілька секунд.
too-fast-button = Зачекайте, будь ласка: я ще надсилаю попередні відповіді. Потім натисніть кнопку ще раз.

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
round-nothing-to-skip = Зараз немає чого пропускати.
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
group-private = Це лише між нами: поговорімо в особистому чаті.
button-open-private = Відкрити особистий чат
# At most 200 characters.
button-old-in-group = Ця кнопка вже не діє. Щоб створити гру, надішліть /quiz.
