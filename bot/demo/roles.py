"""Who may do what in a group, and how the Bot API writes it."""

from typing import Any

from bot.demo.chats import Chat, Person

INSIDE = frozenset({"creator", "administrator", "member", "restricted"})
ADMINISTRATORS = frozenset({"creator", "administrator"})
STATUSES = INSIDE | {"left", "kicked"}

PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
"""What members may do, unless it is denied to all of them or to one."""

_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
    "can_manage_tags",
)


def is_inside(chat: Chat, person: Person) -> bool:
    """Whether a group has this person, or the bot, among its members."""
    return chat.statuses.get(person.id) in INSIDE


def is_administrator(chat: Chat, person: Person) -> bool:
    """Whether this person, or the bot, runs the group; its creator does."""
    return chat.statuses.get(person.id) in ADMINISTRATORS


def may(chat: Chat, person: Person, permission: str) -> bool:
    """Whether a member has a permission such as `can_send_polls`; administrators have all."""
    if is_administrator(chat, person):
        return True
    return permission not in chat.denied | chat.denied_to.get(person.id, frozenset())


def check_permissions(names: frozenset[str]) -> None:
    """Raise ValueError for what is no permission."""
    if unknown := sorted(names.difference(PERMISSIONS)):
        raise ValueError(f"There is no permission {unknown[0]}.")


def permissions_json(chat: Chat) -> dict[str, bool]:
    """What members may do, as the Bot API's ChatPermissions."""
    return {name: name not in chat.denied for name in PERMISSIONS}


def member_json(chat: Chat, person: Person) -> dict[str, Any]:
    """The person's place in the chat as the Bot API's ChatMember."""
    status = _status(chat, person)
    written: dict[str, Any] = {"user": person.json, "status": status}
    is_anonymous = person.id in chat.anonymous
    match status:
        case "creator":
            return written | {"is_anonymous": is_anonymous}
        case "administrator":
            rights = dict.fromkeys(_RIGHTS, True)
            topics = {"can_manage_topics": True} if chat.kind == "supergroup" else {}
            return (
                written | {"can_be_edited": False, "is_anonymous": is_anonymous} | rights | topics
            )
        case "restricted":
            permissions = {name: may(chat, person, name) for name in PERMISSIONS}
            return written | {"is_member": True, "until_date": 0} | permissions
        case "kicked":
            return written | {"until_date": 0}
    return written


def _status(chat: Chat, person: Person) -> str:
    if chat.person is None:
        return chat.statuses.get(person.id, "left")
    return "kicked" if person is not chat.person and chat.person.has_blocked_bot else "member"
