# The bot's own words in Romanian. The learner is addressed as “tu”.

## The command menu and /help. Descriptions: at most 256 characters, better under 40.

command-start = Salut și lista de quizuri
command-quiz = Alege un quiz
command-stop = Oprește și arată rezultatele
command-stats = Vezi cât ai avansat
command-language = Alege limba
command-help = Ce poate face acest bot

# What people read in the empty chat before they start. At most 512 characters.
bot-description =
    Quizuri din care înveți. Fiecare întrebare este un sondaj; la fiecare vot primești o explicație și, unde ajută, câteva rânduri de cod.

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
attempt-running = Ești în mijlocul quizului „{ $quiz }”, la întrebarea { $place }.
button-go-on = Continuă { $place }
button-anew = Începe de la zero: { $quiz }
attempt-nothing-to-stop = Niciun quiz nu e în desfășurare. Alege unul:
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
button-results = Rezultate
vote-not-counted = Acest quiz se încheiase deja, așa că votul nu se ia în calcul.

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
stats-attempts = Încercări: { $number }
stats-answers = Răspunsuri: { $number }
stats-right = Răspunsuri corecte: { $number }
# $percent is a whole number with its sign, formatted for the language.
stats-accuracy = Rata de reușită: { $percent }

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
chat-not-allowed = Răspund doar în anumite chaturi. Te rog să întrebi persoana care mă administrează.
# In a group.
group-private = Pun întrebări într-un chat privat.
button-open-private = Deschide chatul privat
trouble = A apărut o problemă la mine; cei care mă administrează au aflat deja. Te rog să încerci din nou.
