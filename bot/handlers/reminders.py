"""When a learner is: time zone, and the daily reminder."""

import re
from datetime import datetime, time, timedelta

from bot import buttons, messages
from bot.handlers.counting import zone_of
from bot.messages import Button
from bot.turn import Turn
from quizzes import days, schedule
from quizzes.progress import at_risk
from storage.outbox import Priority

REMIND = "remind"
"""The agenda's word for a learner who wants to be reminded."""

OFFERED = (time(8), time(12), time(19), time(21))
"""Times of day that buttons offer."""

_SPREAD_SECONDS = 60
"""Reminders of one minute are spread over it, by learner."""


def timezone_command(turn: Turn, argument: str) -> None:
    """`/timezone`, alone or with a zone such as Europe/Kyiv."""
    if argument:
        choose_zone(turn, argument)
    else:
        _offer_zones(turn, turn.words("timezone-choose", zone=zone_of(turn.learner)))


def choose_zone(turn: Turn, zone: str) -> None:
    """Count the learner's days in this zone from now on."""
    try:
        days.day_of(turn.now, zone)
    except days.UnknownZoneError as error:
        alike = tuple(error.alike) or days.likely_zones(turn.language)
        _offer_zones(turn, turn.words("timezone-unknown"), alike)
        return
    turn.store.learners.choose_zone(turn.learner.id, zone)
    turn.refresh()
    if reminder := turn.store.reminders.find(turn.learner.id):
        _put_on_agenda(turn, reminder.time_of_day)
    turn.say(messages.say(turn.words("timezone-chosen", zone=zone, time=_clock(turn, zone))))


def remind_command(turn: Turn, argument: str) -> None:
    """`/remind`, alone, with a time such as 19:00, or with `off`."""
    if not argument:
        _offer_times(turn)
    elif argument.lower() == "off":
        turn_off(turn)
    elif time_of_day := _time(argument):
        remind_at(turn, time_of_day)
    else:
        _offer_times(turn, turn.words("remind-unknown"))


def remind_at(turn: Turn, time_of_day: time) -> None:
    """Remind the learner at this time of their day."""
    turn.store.reminders.put(turn.learner.id, time_of_day)
    _put_on_agenda(turn, time_of_day)
    zone = zone_of(turn.learner)
    text = turn.words("remind-on", time=time_of_day.strftime("%H:%M"), zone=zone)
    turn.say(messages.say(text))


def turn_off(turn: Turn) -> None:
    """Remind the learner no more."""
    turn.store.reminders.remove(turn.learner.id)
    turn.store.agenda.remove(REMIND, turn.learner.id)
    turn.say(messages.say(turn.words("remind-off")))


def remind(turn: Turn) -> None:
    """The time of day has come: remind, if there is a reason to, and put the next on the agenda."""
    reminder = turn.store.reminders.find(turn.learner.id)
    if reminder is None:
        return
    _put_on_agenda(turn, reminder.time_of_day)
    zone = zone_of(turn.learner)
    today = days.day_of(turn.now, zone)
    if turn.chat_id in turn.store.lost_chats or reminder.last_day == today:
        return
    if today in turn.store.days.since(turn.learner.id, today):
        return  # practised already
    memories = turn.store.memories.all(turn.learner.id)
    in_bank = {ref: memory for ref, memory in memories.items() if ref in turn.world}
    due = schedule.when_due(in_bank, turn.now, zone).now
    streak = turn.store.days.streak(turn.learner.id)
    text = None
    if due:
        text = turn.words("reminder-due", questions=due)
    elif streak and at_risk(streak, turn.now, zone):
        text = turn.words("reminder-streak", days=streak.length)
    if text is None:
        return
    press = buttons.Review() if due else buttons.ListQuizzes(0)
    name = "button-review" if due else "button-quizzes"
    turn.store.reminders.note(turn.learner.id, today)
    turn.priority = Priority.REMINDER
    turn.say(messages.say(text, [[Button(turn.words(name), press)]]))


def _put_on_agenda(turn: Turn, time_of_day: time) -> None:
    at = days.next_time(turn.now, time_of_day, zone_of(turn.learner))
    at += timedelta(seconds=turn.learner.id % _SPREAD_SECONDS)
    turn.store.agenda.put(REMIND, turn.learner.id, at)


def _offer_times(turn: Turn, text: str | None = None) -> None:
    reminder = turn.store.reminders.find(turn.learner.id)
    if text is None and reminder:
        text = turn.words("remind-is-on", time=reminder.time_of_day.strftime("%H:%M"))
    times = [
        Button(one.strftime("%H:%M"), buttons.RemindAt(one.hour, one.minute)) for one in OFFERED
    ]
    off = Button(turn.words("button-remind-off"), buttons.RemindOff())
    turn.say(messages.say(text or turn.words("remind-choose"), [times, [off]]))


def _offer_zones(turn: Turn, text: str, zones: tuple[str, ...] = ()) -> None:
    offered = zones or days.likely_zones(turn.language)
    rows = [[Button(zone, buttons.ChooseZone(zone))] for zone in offered]
    turn.say(messages.say(text, rows))


def _time(text: str) -> time | None:
    found = re.fullmatch(r"(\d{1,2})[:.](\d{2})", text.strip(), re.ASCII)
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        return None
    return time(int(found[1]), int(found[2]))


def _clock(turn: Turn, zone: str) -> str:
    local: datetime = days.local(turn.now, zone)
    return local.strftime("%H:%M")
