# The bot's own words in Romanian. The learner is addressed as “tu”.

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Salut și lista de quizuri
command-quiz = Alege un quiz
command-stop = Oprește și arată rezultatele
command-review = Reia ce ai de recapitulat
command-stats = Vezi-ți progresul
command-remind = Memento zilnic
command-timezone = Fusul tău orar
command-mydata = Descarcă datele păstrate despre tine
command-forget = Șterge toate datele despre tine
command-language = Alege limba
command-help = Ce poate face acest bot
# In groups only.
command-skip = Arată răspunsul acum
command-pause = Fă pauză după întrebarea aceasta
command-top = Clasamentul grupului
command-stats-group = Statisticile grupului
command-settings = Setările grupului

# What people read in the empty chat before they start. At most 512 characters.
bot-description =
    Quizuri din care înveți. Fiecare întrebare este un sondaj; la fiecare vot primești o explicație și, unde ajută, câteva linii de cod.

    Apasă Start și alege un quiz.
# Shown in the bot's profile and when its link is shared. At most 120 characters.
bot-short-description = Quizuri care explică fiecare răspuns.

## Greeting and list of quizzes

# $name is the learner's first name as they wrote it.
greeting = Salut, { $name }! Pun întrebări sub formă de sondaje și explic fiecare răspuns. Ce quiz alegi?
quizzes-choose = Ce quiz alegi?
quizzes-none = Deocamdată nu e niciun quiz aici.
# The payload or argument named a quiz that does not exist.
quiz-unknown = Nu există un astfel de quiz.
# One quiz on a button, as in "Gradient clipping · medium · 8 questions".
quiz-button = { $title } · { $level } · { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
# The same where the quiz has no level.
quiz-button-plain = { $title } · { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
level-easy = ușor
level-medium = mediu
level-hard = dificil
button-previous = ← Înapoi
button-more = Mai multe →

## An attempt

# First line of a quiz, before its first question. $quiz is the title.
attempt-begins = { $quiz } · { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
attempt-practice = Exersezi: { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
} din „{ $quiz }”
attempt-guide = Citește mai mult: { $link }
# A new quiz was asked for while one is running. $place is like 3/8.
# A review has a title too, so the word “quiz” is left out.
attempt-running = Ai început deja „{ $quiz }” și ești la întrebarea { $place }.
button-go-on = Continuă { $place }
button-anew = Începe de la zero: { $quiz }
attempt-nothing-to-stop = Nu ai niciun quiz în desfășurare. Alege unul:
# Shown instead of a question that can't be sent.
question-refused = Telegram nu a acceptat această întrebare, așa că trecem peste ea.
# It is unknown whether the question arrived.
question-doubtful = Conexiunea a căzut în timp ce trimiteam o întrebare. Dacă nu o vezi mai sus, ți-o pot arăta din nou.
button-show-again = Arată întrebarea
# The poll's question where the whole question stands in the message before it.
question-letters = Răspunsul tău? ({ $place })

## The answer to a vote

answer-right = ✅ Corect
answer-wrong = ❌ Nu chiar
# $choices: the right choices, separated by "; ".
answer-solution = Corect: { $choices }
# Before what the snippet of code prints.
answer-prints = Afișează:
answer-source = Sursa: { $source }
button-next = Mai departe { $place }
# Under an explanation: something is wrong with the question.
button-report = Semnalează o greșeală
# A notice after that button.
report-thanks = Mulțumesc! Cei care mă administrează vor verifica întrebarea.
button-results = Rezultate
vote-not-counted = Quizul se încheiase deja, așa că votul tău nu mai e luat în calcul.

## Results

results-title = Rezultate: { $quiz }
results-score = Răspunsuri corecte: { $right } din { $questions }
results-all-right = Toate corecte. Bravo!
results-missed = Merită revăzute:
results-link = Dă quizul mai departe: { $link }
button-practise = Exersează ce ai greșit ({ $questions })
button-again = Încă o dată
button-quizzes = Alte quizuri

## Statistics

stats-title = Progresul tău
stats-none = Încă nu ai răspuns la nicio întrebare. Alege un quiz:
# $number is how many attempts at quizzes were begun.
stats-attempts = Încercări: { $number }
stats-finished = Quizuri terminate: { $number }
stats-answers = Răspunsuri: { $number }
stats-right = Răspunsuri corecte: { $number }
# $percent is a whole number with its sign, formatted for the language. An arrow may follow.
stats-accuracy = Rata de reușită: { $percent }
# Headings of two blocks of numbers.
stats-week = Săptămâna aceasta
stats-ever = De la început
stats-streak = Serie: { $days ->
    [one] { $days } zi
    [few] { $days } zile
   *[other] { $days } de zile
}
stats-best-streak = Cea mai lungă serie: { $days ->
    [one] { $days } zi
    [few] { $days } zile
   *[other] { $days } de zile
}
# Heading of a list of quizzes, each with a bar and a percentage: how much of it is known for weeks.
stats-mastery = Cât știi din fiecare quiz
stats-strongest = Punct forte: { $quiz }
stats-weakest = Punct slab: { $quiz }
# Heading of a list of questions.
stats-hardest = Cele mai grele întrebări
# Questions that should be repeated now.
stats-due = De recapitulat acum: { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
stats-nothing-due = Acum nu ai nimic de recapitulat.
button-picture = Arată ca imagine
# Words on the picture of /stats, as short as possible: they stand on one line. The headings have at
# most 28 characters, the words before the legend of the calendar at most 24.
picture-accuracy = Răspunsuri corecte
picture-days = Zile cu răspunsuri
picture-answers-a-day = Răspunsuri pe zi:
picture-mastery = Cât știi din fiecare quiz

## Review

# What a review is called where a quiz's title stands otherwise, as in "Ai început deja „Recapitulare”".
review-title = Recapitulare
button-review = Începe recapitularea
# A learner who has not answered anything yet sent /review.
review-new = Orice întrebare la care răspunzi revine aici când ești pe cale s-o uiți: dacă ai greșit, după câteva minute; dacă ai răspuns corect, după câteva zile, apoi la intervale tot mai mari. Începe cu un quiz și în curând vei avea primele întrebări de recapitulat.
# $when is a date and time, as in "3 martie, 09:10".
review-nothing = Acum nu ai nimic de recapitulat. Următoarea întrebare vine pe { $when }.
forecast-today = Azi, mai târziu: { $questions }
forecast-tomorrow = Mâine: { $questions }
# The five days after tomorrow.
forecast-this-week = Poimâine și în următoarele patru zile: { $questions }

## Time zone and reminders

# $zone is a name such as Europe/Bucharest, here and below.
timezone-choose = Număr zilele după fusul orar { $zone }; o zi începe la 04:00. Alege alt fus orar sau trimite unul, de exemplu /timezone Europe/Bucharest.
timezone-unknown = Nu există un astfel de fus orar. Poate unul dintre acestea?
# $time is what clocks there show now, as in 19:05.
timezone-chosen = De acum înainte număr zilele după fusul orar { $zone }. Acolo e ora { $time }.
remind-choose = La ce oră să-ți amintesc? Îți scriu cel mult o dată pe zi, doar când ai ceva de recapitulat sau când riști să-ți întrerupi seria. Poți trimite și altă oră, de exemplu /remind 19:00.
remind-is-on = Mementoul e setat la ora { $time }. Alege altă oră sau renunță la mementouri.
remind-unknown = Nu am înțeles ora. Trimite, de exemplu, /remind 19:00 sau alege:
remind-on = Îți scriu la ora { $time } ({ $zone }) când ai ceva de recapitulat sau când riști să-ți întrerupi seria.
remind-off = Gata, nu mai trimit mementouri.
button-remind-off = Fără mementouri
# The reminders themselves.
reminder-due = Ai { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
} de recapitulat. Câteva minute acum și nu uiți ce ai învățat.
reminder-streak = Seria ta de { $days ->
    [one] { $days } zi
    [few] { $days } zile
   *[other] { $days } de zile
} se întrerupe dacă azi nu răspunzi la nicio întrebare.

## One's own data

# Under the file that /mydata sends.
mydata-caption = Aici e tot ce păstrez despre tine. Cu /forget ștergi totul.
forget-ask = Să șterg tot ce păstrez despre tine: răspunsuri, progres, serie, mementouri? În grupuri rămân cifrele din clasamente, dar fără numele tău. Ștergerea e definitivă.
button-forget = Șterge tot
button-keep = Păstrează datele
forget-done = Am șters tot. Când îmi scrii din nou, o luăm de la zero.

## Language

language-choose = Ce limbă preferi?
# Said in the language that was just chosen.
language-chosen = De acum înainte vorbesc românește.
language-unknown = Nu vorbesc încă limba aceasta. Le știu pe acestea:

## Help and everything else

help-title = Ce înțeleg:
help-link = Un link cu care un prieten poate începe un quiz: { $link }
hint = Votează într-un sondaj sau trimite /quiz ca să alegi un quiz. /help îți arată ce pot face.
forwarded-poll = La un sondaj redirecționat nu văd răspunsul corect, așa că nu pot folosi sondajul ca întrebare. Trimite /quiz pentru quizurile mele.
# A button from an old message was pressed. At most 200 characters.
button-old = Butonul acesta ține de o întrebare mai veche. Trimite /quiz ca să continui.
chat-not-allowed = Răspund doar în anumite chaturi. Întreabă-i, te rog, pe cei care mă administrează.
trouble = A apărut o problemă la mine; cei care mă administrează au aflat deja. Te rog să încerci din nou.
# For pressed buttons below: at most 200 characters.
too-fast = Puțin mai încet, te rog: Telegram îmi permite doar un mesaj pe secundă. O parte din ce ai trimis a rămas fără răspuns; dacă mai vrei unul, trimite din nou peste câteva clipe.
too-fast-button = O clipă, te rog: încă răspund la ce ai cerut înainte. Apasă din nou după ce termin.

## A round in a group: the lobby

# First line of the lobby. $quiz is the title.
lobby-title = Rundă de quiz: „{ $quiz }”
# One of the facts in the second line, as in "medium · 8 questions · 30 s each".
lobby-questions = { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
lobby-seconds = câte { $seconds } s pentru fiecare
lobby-empty = Încă nu a intrat nimeni.
# $names is a list of names, separated by commas.
lobby-players = În rundă ({ $players }): { $names }
lobby-begun = Runda a început.
lobby-closed = Rundă anulată: nu a pornit-o nimeni.
button-join = Intră în rundă
# A choice of the time for a question, short.
button-seconds = { $seconds } s
# Choices of how many questions, short: "All 8", "5".
button-all-questions = Toate ({ $questions })
button-few-questions = { $questions ->
    [one] { $questions } întrebare
    [few] { $questions } întrebări
   *[other] { $questions } de întrebări
}
button-start = Pornește runda
# Notices after a pressed button.
round-joined = Gata, ești în rundă.
round-joined-already = Ești deja în rundă.

## A round in a group: questions

# $right of $voters answered right; both are numbers.
reveal-count = Răspunsuri corecte: { $right } din { $voters }.
# Follows the text above. $seconds is a decimal number.
reveal-fastest = Cel mai scurt timp: { $name } ({ $seconds } s).
reveal-nobody = Nu a votat nimeni.
# The question was changed or removed while it was asked.
reveal-gone = Întrebarea aceasta s-a schimbat între timp, așa că rămâne fără explicație. Voturi: { $voters }.
explanation-gone = La întrebarea aceea nu am nicio explicație de arătat.
button-my-language = În limba mea
round-will-pause = Fac pauză după întrebarea aceasta.
round-paused = Runda e în pauză.
round-paused-silence = De ceva vreme nu a mai votat nimeni, așa că runda e în pauză.
button-resume = Continuă { $place }
round-running = Aici e deja o rundă în desfășurare.
round-none = Aici nu e nicio rundă în desfășurare. Deschide una cu /quiz.
round-not-yours = Asta pot face doar administratorii și persoana care a deschis runda.
round-admins-only = În acest grup doar administratorii pot deschide o rundă.
round-nothing-to-skip = Acum nu e nicio întrebare peste care să trecem.
round-nothing-to-pause = Acum nu e nimic de pus în pauză.
# Told in private to who opened the round. $reason is Telegram's, in English.
round-broken-off = A trebuit să închei runda pe care ai deschis-o: Telegram nu mă lasă să continui acolo ({ $reason }).

## A round in a group: results

round-results-title = Rezultatele rundei „{ $quiz }”
round-results-nobody = În runda aceasta nu a votat nimeni.
# One line of the table, after the name: "6 of 8, 41.5 s".
# A dot between the two: the number of seconds has a comma of its own.
round-score = { $right } din { $questions } · { $seconds } s
# $question is the question itself.
round-hardest = Cea mai grea întrebare: { $question }
button-full-list = Tot clasamentul ({ $players })
button-rematch = Revanșă
# For an account without a name.
name-unknown = (fără nume)

## A group's table, settings and numbers

top-nobody = Aici încă nu s-a jucat nicio rundă. Deschide una cu /quiz.
top-week = Săptămâna aceasta
top-ever = De la început
# One line of the table, after the name.
top-score = { $right ->
    [one] { $right } corect
    [few] { $right } corecte
   *[other] { $right } corecte
} din { $answers }
settings-openers = Cine poate deschide o rundă în acest grup?
button-openers-all = Oricine
button-openers-admins = Doar administratorii
settings-openers-all = De acum înainte oricine poate deschide o rundă.
settings-openers-admins = De acum înainte doar administratorii pot deschide o rundă.
group-admins-only = Asta pot face doar administratorii grupului.
# $members people have answered $answers questions, $right of them right.
group-stats = În rundele acestui grup: { $members ->
    [one] { $members } membru
    [few] { $members } membri
   *[other] { $members } de membri
}, { $answers ->
    [one] { $answers } răspuns
    [few] { $answers } răspunsuri
   *[other] { $answers } de răspunsuri
}, { $right ->
    [one] { $right } corect
    [few] { $right } corecte
   *[other] { $right } corecte
}.
button-own-stats = Progresul meu
# A command that is a learner's own business was sent in a group.
group-private = Asta rămâne între noi: hai să vorbim în privat.
button-open-private = Deschide chatul privat
# A button from an old message was pressed in a group. At most 200 characters.
button-old-in-group = Butonul acesta nu mai e valabil. Deschide o rundă cu /quiz.
