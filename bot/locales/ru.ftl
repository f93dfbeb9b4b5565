# The bot's own words in Russian. en.ftl is the source; its comments say where each text is shown.
# The learner is «вы» in lower case; the bot avoids past tenses that would give it a gender.
# A round is «игра»: who opens it (/quiz) creates it, «создать»; the button starts it, «начать».
# What is due is what «пора повторить»; a review is «повторение», a streak is «серия», of days.

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Приветствие и список викторин
command-quiz = Выбрать викторину
command-stop = Закончить и посмотреть результаты
command-review = Повторить пройденное
command-stats = Ваши успехи
command-remind = Ежедневное напоминание
command-timezone = Ваш часовой пояс
command-mydata = Все данные о вас
command-forget = Удалить все данные о вас
command-language = Выбрать язык
command-help = Что умеет этот бот
# In groups only.
command-skip = Сразу показать ответ
command-pause = Пауза после этого вопроса
command-top = Рейтинг участников
command-stats-group = Статистика этой группы
command-settings = Настройки этой группы

# What people read in the empty chat before they start. At most 512 characters.
bot-description =
    Викторины, которые учат. Каждый вопрос — это опрос; после каждого ответа — объяснение, а где полезно, ещё и несколько строк кода.

    Запустите бота и выберите викторину.
# Shown in the bot's profile and when its link is shared. At most 120 characters.
bot-short-description = Викторины, в которых объясняется каждый ответ.

## Greeting and list of quizzes

# $name is the learner's first name as they wrote it.
greeting = Здравствуйте, { $name }! Я задаю вопросы в виде опросов и объясняю каждый ответ. Какую викторину выберете?
quizzes-choose = Какую викторину выберете?
quizzes-none = Викторин здесь пока нет.
# The payload or argument named a quiz that does not exist.
quiz-unknown = Такой викторины нет.
# One quiz on a button, as in "Gradient clipping · medium · 8 questions".
quiz-button = { $title } · { $level } · { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
# The same where the quiz has no level.
quiz-button-plain = { $title } · { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
# Masculine: the word «уровень» is understood.
level-easy = лёгкий
level-medium = средний
level-hard = сложный
button-previous = ← Назад
button-more = Ещё →

## An attempt

# First line of a quiz, before its first question. $quiz is the title.
attempt-begins = { $quiz } · { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
# The title may also be that of a review: «викторина» would not fit.
attempt-practice = Работа над ошибками · { $quiz } · { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
attempt-guide = Подробнее: { $link }
# A new quiz was asked for while one is running. $place is like 3/8.
attempt-running = У вас сейчас идёт «{ $quiz }»: вопрос { $place }.
button-go-on = Продолжить { $place }
button-anew = Начать заново: { $quiz }
attempt-nothing-to-stop = Сейчас ни одна викторина не идёт. Выберите, какую начать:
# Shown instead of a question that can't be sent.
question-refused = Telegram не принимает этот вопрос, поэтому пришлось его пропустить.
# It is unknown whether the question arrived.
question-doubtful = Связь прервалась во время отправки вопроса. Если выше его нет, я могу показать его ещё раз.
button-show-again = Показать вопрос
# The poll's question where the whole question stands in the message before it.
question-letters = Ваш ответ? ({ $place })

## The answer to a vote

answer-right = ✅ Верно
answer-wrong = ❌ Не совсем
# $choices: the right choices, separated by "; ".
answer-solution = Верно: { $choices }
# Before what the snippet of code prints.
answer-prints = Код выведет:
answer-source = Источник: { $source }
button-next = Дальше { $place }
# Under an explanation: something is wrong with the question.
button-report = Сообщить об ошибке
# A notice after that button.
report-thanks = Спасибо! Те, кто мной управляет, это проверят.
button-results = Результаты
vote-not-counted = Эта викторина уже закончилась, поэтому ответ не засчитан.

## Results

results-title = Результаты: { $quiz }
results-score = Верных ответов: { $right } из { $questions }
results-all-right = Всё верно. Отличная работа!
results-missed = Стоит повторить:
results-link = Поделиться викториной: { $link }
button-practise = Работа над ошибками ({ $questions })
button-again = Ещё раз
button-quizzes = Другие викторины

## Statistics

stats-title = Ваши успехи
stats-none = Вы пока не ответили ни на один вопрос. Выберите викторину:
# $number is how many attempts at quizzes were begun.
stats-attempts = Попыток: { $number }
stats-finished = Пройдено викторин: { $number }
stats-answers = Ответов: { $number }
stats-right = Верных ответов: { $number }
# $percent is a whole number with its sign, formatted for the language. An arrow may follow.
stats-accuracy = Доля верных ответов: { $percent }
# Headings of two blocks of numbers.
stats-week = За эту неделю
stats-ever = За всё время
stats-streak = Серия: { $days ->
    [one] { $days } день
    [few] { $days } дня
    [many] { $days } дней
   *[other] { $days } дня
}
stats-best-streak = Лучшая серия: { $days ->
    [one] { $days } день
    [few] { $days } дня
    [many] { $days } дней
   *[other] { $days } дня
}
# Heading of a list of quizzes, each with a bar and a percentage: how much of it is known for weeks.
stats-mastery = Освоено
stats-strongest = Лучше всего: { $quiz }
stats-weakest = Слабее всего: { $quiz }
# Heading of a list of questions.
stats-hardest = Самые сложные вопросы
# Questions that should be repeated now.
stats-due = Пора повторить: { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
stats-nothing-due = Сейчас повторять нечего.
button-picture = Картинкой
# Words on the picture of /stats, as short as possible: they stand on one line. The headings have at
# most 28 characters, the words before the legend of the calendar at most 24.
picture-accuracy = Доля верных ответов
picture-days = Дни с ответами
picture-answers-a-day = Ответов за день:
picture-mastery = Освоено по викторинам

## Review

# What a review is called where a quiz's title stands otherwise, as in "You are in the middle of “Review”".
review-title = Повторение
button-review = Начать повторение
# A learner who has not answered anything yet sent /review.
review-new = Вопросы, на которые вы ответили, возвращаются сюда, когда ответ вот-вот забудется: после неверного ответа — через несколько минут, после верного — через несколько дней, а потом всё реже. Начните с викторины, и скоро здесь появятся первые вопросы.
# $when is a date and time, as in "3 March, 09:10".
review-nothing = Сейчас повторять нечего. Следующий вопрос — { $when }.
forecast-today = Ещё сегодня: { $questions }
forecast-tomorrow = Завтра: { $questions }
forecast-this-week = За пять дней, начиная с послезавтра: { $questions }

## Time zone and reminders

# $zone is a name such as Europe/Kyiv, here and below.
timezone-choose = Ваш часовой пояс — { $zone }; новый день у меня начинается в 04:00. Выберите другой пояс или отправьте его название, например: /timezone Europe/Kyiv.
timezone-unknown = Такого часового пояса нет. Может быть, один из этих?
# $time is what clocks there show now, as in 19:05.
timezone-chosen = Теперь ваш часовой пояс — { $zone }. Сейчас у вас { $time }.
remind-choose = Когда вам напоминать? Буду писать не чаще раза в день и только если пора что-то повторить или ваша серия может прерваться. Можно указать и своё время, например: /remind 19:00.
remind-is-on = Сейчас напоминания приходят в { $time }. Выберите другое время или отключите их.
remind-unknown = Не получается разобрать время. Отправьте, например, /remind 19:00 или выберите вариант:
remind-on = Буду напоминать в { $time } ({ $zone }), если пора что-то повторить или ваша серия может прерваться.
remind-off = Напоминаний больше не будет.
button-remind-off = Без напоминаний
# The reminders themselves.
reminder-due = Пора повторить { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}. Нескольких минут хватит, чтобы всё осталось в памяти.
reminder-streak = Ваша серия — { $days ->
    [one] { $days } день
    [few] { $days } дня
    [many] { $days } дней
   *[other] { $days } дня
}. Чтобы она не прервалась, ответьте сегодня хотя бы на один вопрос.

## One's own data

# Under the file that /mydata sends.
mydata-caption = Здесь все данные о вас, которые у меня есть. Удалить их можно командой /forget.
forget-ask = Удалить все данные о вас: ответы, успехи, серию, напоминания? В рейтингах групп результаты останутся, но без вашего имени. Отменить удаление нельзя.
button-forget = Удалить всё
button-keep = Оставить
forget-done = Всё удалено. Если вы снова мне напишете, начнём с чистого листа.

## Language

language-choose = Какой язык вам удобнее?
# Said in the language that was just chosen.
language-chosen = Теперь я говорю по-русски.
language-unknown = На этом языке я пока не говорю. Вот языки, которые я знаю:

## Help and everything else

help-title = Что я умею:
help-link = Ссылка, по которой викторину может начать друг: { $link }
hint = Ответьте на вопрос в опросе или отправьте /quiz, чтобы выбрать викторину. Всё, что я умею, покажет /help.
forwarded-poll = В пересланном опросе мне не виден верный ответ, поэтому задать такой вопрос я не могу. Мои викторины открывает команда /quiz.
# A button from an old message was pressed. At most 200 characters.
button-old = Эта кнопка относится к одному из прошлых вопросов. Чтобы продолжить, отправьте /quiz.
chat-not-allowed = Мне разрешено работать только в некоторых чатах. Обратитесь к тому, кто мной управляет.
trouble = У меня что-то пошло не так; те, кто мной управляет, уже об этом знают. Попробуйте, пожалуйста, ещё раз.
# For pressed buttons below: at most 200 characters.
too-fast = Чуть помедленнее, пожалуйста: Telegram позволяет мне отправлять только одно сообщение в секунду. Часть ваших сообщений осталась без ответа; если он ещё нужен, отправьте их снова через несколько секунд.
too-fast-button = Подождите, пожалуйста: я ещё отправляю предыдущие ответы. Когда они придут, нажмите кнопку снова.

## A round in a group: the lobby

# First line of the lobby. $quiz is the title.
lobby-title = Игра «{ $quiz }»
# One of the facts in the second line, as in "medium · 8 questions · 30 s each".
lobby-questions = { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
lobby-seconds = { $seconds ->
    [one] { $seconds } секунда на вопрос
    [few] { $seconds } секунды на вопрос
    [many] { $seconds } секунд на вопрос
   *[other] { $seconds } секунды на вопрос
}
lobby-empty = Участников пока нет.
# $names is a list of names, separated by commas.
lobby-players = Участники ({ $players }): { $names }
lobby-begun = Игра началась.
lobby-closed = Игра не состоялась: никто её не начал.
button-join = Участвую
# A choice of the time for a question, short.
button-seconds = { $seconds } с
# Choices of how many questions, short: "All 8", "5".
button-all-questions = Все { $questions }
button-few-questions = { $questions ->
    [one] { $questions } вопрос
    [few] { $questions } вопроса
    [many] { $questions } вопросов
   *[other] { $questions } вопроса
}
button-start = Начать
# Notices after a pressed button.
round-joined = Вы в игре.
round-joined-already = Вы уже в игре.

## A round in a group: questions

# $right of $voters answered right; both are numbers.
reveal-count = Верных ответов: { $right } из { $voters }.
# Follows the text above. $seconds is a decimal number.
reveal-fastest = Быстрее всех: { $name } ({ $seconds } с).
reveal-nobody = Никто не ответил.
# The question was changed or removed while it was asked.
reveal-gone = Пока шёл опрос, этот вопрос изменили или убрали, поэтому объяснения не будет. Ответов: { $voters }.
explanation-gone = Показать объяснение к этому вопросу я не могу.
button-my-language = На моём языке
round-will-pause = После этого вопроса сделаю паузу.
round-paused = Игра на паузе.
round-paused-silence = Уже некоторое время никто не отвечает, поэтому игра на паузе.
button-resume = Продолжить { $place }
round-running = Здесь уже идёт игра.
round-none = Сейчас здесь никто не играет. Чтобы создать игру, отправьте /quiz.
round-not-yours = Это доступно только создателю игры и администраторам.
round-admins-only = В этой группе игры создают только администраторы.
round-nothing-to-skip = Пропускать сейчас нечего.
round-nothing-to-pause = Ставить на паузу сейчас нечего.
# Told in private to who opened the round. $reason is Telegram's, in English.
round-broken-off = Созданную вами игру пришлось прервать: Telegram больше не даёт мне вести её в том чате ({ $reason }).

## A round in a group: results

round-results-title = Результаты игры «{ $quiz }»
round-results-nobody = В этой игре никто не ответил ни на один вопрос.
# One line of the table, after the name: "6 of 8, 41.5 s".
# No comma between the two: the decimal sign is a comma too.
round-score = { $right } из { $questions } · { $seconds } с
# $question is the question itself.
round-hardest = Самый сложный вопрос: { $question }
button-full-list = Все участники ({ $players })
button-rematch = Реванш
# For an account without a name.
name-unknown = (без имени)

## A group's table, settings and numbers

top-nobody = Здесь ещё никто не играл. Чтобы создать игру, отправьте /quiz.
top-week = За эту неделю
top-ever = За всё время
# One line of the table, after the name.
top-score = верно { $right } из { $answers }
settings-openers = Кто может создавать игры в этой группе?
button-openers-all = Все
button-openers-admins = Только администраторы
settings-openers-all = Теперь игры здесь могут создавать все.
settings-openers-admins = Теперь игры здесь могут создавать только администраторы.
group-admins-only = Это могут делать только администраторы группы.
# $members people have answered $answers questions, $right of them right.
group-stats = В играх этой группы: { $members ->
    [one] { $members } участник
    [few] { $members } участника
    [many] { $members } участников
   *[other] { $members } участника
}, { $answers ->
    [one] { $answers } ответ
    [few] { $answers } ответа
    [many] { $answers } ответов
   *[other] { $answers } ответа
}, из них верных — { $right }.
button-own-stats = Мои успехи
# A command that is a learner's own business was sent in a group.
group-private = Это касается только вас: продолжим в личном чате.
button-open-private = Открыть личный чат
# A button from an old message was pressed in a group. At most 200 characters.
button-old-in-group = Эта кнопка уже не действует. Чтобы создать игру, отправьте /quiz.
