"""Settings: environment variables, with a .env file behind them."""

from pathlib import Path
from typing import Any

import pytest

from bot.settings import Address, Hook, SettingError, Settings, from_environment


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("BOT_TOKEN", "123:abc", "bot_token", "123:abc"),
        ("BOT_TOKEN", "110:AA-b_" + "c" * 30, "bot_token", "110:AA-b_" + "c" * 30),
        ("BOT_TOKEN", "110:abc/test", "bot_token", "110:abc/test"),
        ("BOT_API_URL", "http://127.0.0.1:8081", "bot_api_url", "http://127.0.0.1:8081"),
        ("BOT_API_URL", "https://[::1]:8081/api", "bot_api_url", "https://[::1]:8081/api"),
        ("DATABASE_PATH", "a folder/bot.db", "database_path", Path("a folder/bot.db")),
        ("QUIZZES_PATH", "/", "quizzes_path", Path("/")),
        ("DEFAULT_LANGUAGE", "uk", "default_language", "uk"),
        ("DEFAULT_LANGUAGE", "pt-BR", "default_language", "pt-BR"),
        ("OPERATOR_IDS", "17", "operator_ids", (17,)),
        ("OPERATOR_IDS", "17, 23", "operator_ids", (17, 23)),
        ("OPERATOR_IDS", "17,23,", "operator_ids", (17, 23)),
        ("ALLOWED_CHATS", "17,-1001234567890", "allowed_chats", {17, -1001234567890}),
        ("MESSAGES_PER_SECOND", "0", "messages_per_second", 0.0),
        ("MESSAGES_PER_SECOND", "2.5", "messages_per_second", 2.5),
        ("LOG_LEVEL", "DEBUG", "log_level", "DEBUG"),
        ("LOG_LEVEL", "warning", "log_level", "WARNING"),
        ("LOG_FORMAT", "json", "log_format", "json"),
        ("LOG_FORMAT", "JSON", "log_format", "json"),
        ("LOG_FORMAT", " text ", "log_format", "text"),
    ],
)
def test_a_setting_is_read_from_its_variable(
    tmp_path: Path, name: str, value: str, field: str, expected: Any
) -> None:
    assert getattr(from_environment({name: value}, tmp_path), field) == expected


NAMES = (
    "BOT_TOKEN",
    "BOT_API_URL",
    "DATABASE_PATH",
    "QUIZZES_PATH",
    "DEFAULT_LANGUAGE",
    "OPERATOR_IDS",
    "ALLOWED_CHATS",
    "MESSAGES_PER_SECOND",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "LISTEN",
    "WEBHOOK_URL",
    "WEBHOOK_SECRET",
    "WEBHOOK_LISTEN",
)


def test_without_variables_every_setting_has_its_default(tmp_path: Path) -> None:
    assert from_environment({}, tmp_path) == Settings(
        bot_token=None,
        bot_api_url=None,
        database_path=Path("data/quiz-tutor.sqlite3"),
        quizzes_path=None,
        default_language="en",
        operator_ids=(),
        allowed_chats=frozenset(),
        messages_per_second=30.0,
        log_level="INFO",
        log_format="text",
        listen=None,
        webhook=None,
    )


@pytest.mark.parametrize("nothing", ["", " ", "\t"])
def test_an_empty_variable_counts_as_absent(tmp_path: Path, nothing: str) -> None:
    assert from_environment(dict.fromkeys(NAMES, nothing), tmp_path) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("BOT_API_URL", "localhost:8081", "'localhost:8081' is no http or https address"),
        ("BOT_API_URL", "ftp://example.org", "'ftp://example.org' is no http or https address"),
        ("BOT_API_URL", "http://", "'http://' is no http or https address"),
        ("BOT_API_URL", "http://a:99999", "'http://a:99999' is no http or https address"),
        ("BOT_API_URL", "http://[", "'http://[' is no http or https address"),
        ("QUIZZES_PATH", "nowhere/at/all", "there is no folder 'nowhere/at/all'"),
        ("DEFAULT_LANGUAGE", "English!", "'English!' is no language tag such as en or pt-BR"),
        ("OPERATOR_IDS", "@ada", "'@ada' is no list of numeric ids separated by commas"),
        ("OPERATOR_IDS", "1;2", "'1;2' is no list of numeric ids separated by commas"),
        ("OPERATOR_IDS", "1_000", "'1_000' is no list of numeric ids separated by commas"),
        (
            "OPERATOR_IDS",
            "99999999999999999999",
            "'99999999999999999999' is no list of numeric ids separated by commas",
        ),
        ("ALLOWED_CHATS", ",", "',' is no list of numeric ids separated by commas"),
        ("MESSAGES_PER_SECOND", "many", "'many' is no number of messages from 0 to 10000"),
        ("MESSAGES_PER_SECOND", "-1", "'-1' is no number of messages from 0 to 10000"),
        ("MESSAGES_PER_SECOND", "nan", "'nan' is no number of messages from 0 to 10000"),
        ("MESSAGES_PER_SECOND", "inf", "'inf' is no number of messages from 0 to 10000"),
        ("LOG_LEVEL", "LOUD", "'LOUD' is none of DEBUG, INFO, WARNING, ERROR"),
        ("LOG_FORMAT", "xml", "'xml' is none of text, json"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_in_one_sentence(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(SettingError) as error:
        from_environment({name: value}, tmp_path)
    assert str(error.value) == f"{name} can't be used: {sentence}."


@pytest.mark.parametrize(
    "text",
    [
        "changeme",
        "your-token-here",
        "<token>",
        "123456",
        "123456:",
        ":AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "123456:ABC...",
        "123456:ABC…",
        "bot123456:ABC",
        "'123456:ABC'",
        "123456: ABC",
        "123456:ABC DEF",
        "123456:ABC/getMe",
        "https://t.me/QuizTutorBot",
        "١٢٣:abc",
    ],
)
def test_what_is_surely_no_token_is_refused_and_not_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingError) as error:
        from_environment({"BOT_TOKEN": text}, tmp_path)
    assert str(error.value) == (
        "BOT_TOKEN can't be used: a token is digits, a colon and some 35 letters, digits, _ and -, "
        "without quotes or blanks; copy it from @BotFather (/mybots, API Token)."
    )


def test_a_quizzes_path_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "quiz.yaml").touch()
    with pytest.raises(SettingError, match="QUIZZES_PATH can't be used: there is no folder"):
        from_environment({"QUIZZES_PATH": str(tmp_path / "quiz.yaml")}, tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("BOT_TOKEN=1:a", "1:a"),
        ("export BOT_TOKEN=1:a", "1:a"),
        ("BOT_TOKEN = 1:a", "1:a"),
        ("BOT_TOKEN='1:a'", "1:a"),
        ('BOT_TOKEN="1:a"', "1:a"),
        ("BOT_TOKEN=1:a # from @BotFather", "1:a"),
        ("# BOT_TOKEN=1:a", None),
        ("BOT_TOKEN=", None),
        ("BOT_TOKEN", None),
        ("\r\nBOT_TOKEN=1:a\r\n", "1:a"),
        ("BOT_TOKEN=1:a\nBOT_TOKEN=2:b", "2:b"),
        ("\ufeffBOT_TOKEN=1:a", "1:a"),
        ("", None),
    ],
)
def test_a_line_of_the_env_file_is_read_as_everybody_expects(
    tmp_path: Path, line: str, expected: str | None
) -> None:
    (tmp_path / ".env").write_bytes(line.encode())
    assert from_environment({}, tmp_path).bot_token == expected


def test_the_environment_wins_over_the_env_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BOT_TOKEN=1:file\nLOG_FORMAT=json\n")

    settings = from_environment({"BOT_TOKEN": "2:environment"}, tmp_path)

    assert (settings.bot_token, settings.log_format) == ("2:environment", "json")


def test_an_empty_variable_does_not_hide_the_env_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BOT_TOKEN=1:file\n")
    assert from_environment({"BOT_TOKEN": ""}, tmp_path).bot_token == "1:file"


def test_an_env_file_with_a_line_that_means_nothing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LOG_LEVEL=INFO\nBOT TOKEN\n")
    with pytest.raises(SettingError) as error:
        from_environment({}, tmp_path)
    assert str(error.value) == f"{file} can't be read: line 2 is not of the form NAME=value."


def test_an_env_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("QUIZZES_PATH=тести\n".encode("cp1251"))
    with pytest.raises(SettingError, match=r"\.env can't be read: 'utf-8' codec can't decode"):
        from_environment({}, tmp_path)


def test_only_the_settings_that_are_asked_for_are_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BOT_TOKEN=1:a\nLOG_LEVEL=ERROR\n")

    settings = from_environment({"OPERATOR_IDS": "nobody"}, tmp_path, only=("LOG_LEVEL",))

    assert settings == Settings(log_level="ERROR")


# Where the bot listens


SECRET = "abc_DEF-123"
HOOK = {
    "WEBHOOK_URL": "https://bot.example.org/hook",
    "WEBHOOK_SECRET": SECRET,
    "WEBHOOK_LISTEN": "127.0.0.1:8081",
}


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:8080", "127.0.0.1", 8080),
        ("0.0.0.0:1", "0.0.0.0", 1),
        ("localhost:65535", "localhost", 65535),
        ("[::1]:8080", "::1", 8080),
    ],
)
def test_an_address_to_listen_at_is_read_and_written_alike(
    tmp_path: Path, text: str, host: str, port: int
) -> None:
    listen = from_environment({"LISTEN": text}, tmp_path).listen
    assert (listen, str(listen)) == (Address(host, port), text)


@pytest.mark.parametrize(
    "text",
    [
        "8080",
        ":8080",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:٨٠٨٠",
        "::1:8080",
        "[]:8080",
        "http://127.0.0.1:8080",
        "127.0.0.1:8080/healthz",
        "me@127.0.0.1:8080",
    ],
)
@pytest.mark.parametrize("name", ["LISTEN", "WEBHOOK_LISTEN"])
def test_what_is_no_address_to_listen_at_is_refused(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(SettingError) as error:
        from_environment({name: text}, tmp_path)
    assert str(error.value) == (
        f"{name} can't be used: {text!r} is no host:port such as 127.0.0.1:8080 or [::1]:8080."
    )


def test_a_webhook_is_read_whole(tmp_path: Path) -> None:
    assert from_environment(HOOK, tmp_path).webhook == Hook(
        "https://bot.example.org/hook", SECRET, Address("127.0.0.1", 8081)
    )


def test_without_its_url_there_is_no_webhook(tmp_path: Path) -> None:
    assert from_environment(HOOK | {"WEBHOOK_URL": ""}, tmp_path).webhook is None


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("WEBHOOK_SECRET", "WEBHOOK_URL needs a WEBHOOK_SECRET, by which the bot knows"),
        ("WEBHOOK_LISTEN", "WEBHOOK_URL needs a WEBHOOK_LISTEN: the host:port where"),
    ],
)
def test_a_webhook_that_lacks_a_part_is_refused(
    tmp_path: Path, missing: str, sentence: str
) -> None:
    with pytest.raises(SettingError) as error:
        from_environment(HOOK | {missing: ""}, tmp_path)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("secret", ["a b", "é", "a" * 257, "a.b", "a=b"])
def test_a_secret_that_telegram_would_not_take_is_refused_and_not_told(
    tmp_path: Path, secret: str
) -> None:
    with pytest.raises(SettingError) as error:
        from_environment(HOOK | {"WEBHOOK_SECRET": secret}, tmp_path)
    assert str(error.value) == (
        "WEBHOOK_SECRET can't be used: it has to be 1 to 256 characters of A-Z, a-z, 0-9, _ and -."
    )


def test_a_secret_shows_up_in_no_text_of_the_settings(tmp_path: Path) -> None:
    assert SECRET not in repr(from_environment(HOOK, tmp_path))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("bot.example.org/hook", "'bot.example.org/hook' is no http or https address"),
        (
            "http://bot.example.org/hook",
            "Telegram posts to https addresses only, and 'http://bot.example.org/hook' is none",
        ),
        (
            "https://bot.example.org:8080/hook",
            "Telegram posts to no other ports than 443, 80, 88, 8443",
        ),
    ],
)
def test_an_address_to_which_telegram_would_not_post_is_refused(
    tmp_path: Path, url: str, sentence: str
) -> None:
    with pytest.raises(SettingError) as error:
        from_environment(HOOK | {"WEBHOOK_URL": url}, tmp_path)
    assert str(error.value) == f"WEBHOOK_URL can't be used: {sentence}."


def test_a_server_of_ones_own_may_post_anywhere(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9000/hook"
    own = {"WEBHOOK_URL": url, "BOT_API_URL": "http://127.0.0.1:8081"}
    webhook = from_environment(HOOK | own, tmp_path).webhook
    assert webhook is not None
    assert webhook.url == url


def test_the_webhook_and_the_health_page_do_not_share_an_address(tmp_path: Path) -> None:
    with pytest.raises(SettingError) as error:
        from_environment(HOOK | {"LISTEN": HOOK["WEBHOOK_LISTEN"]}, tmp_path)
    assert str(error.value).startswith("LISTEN and WEBHOOK_LISTEN can't both be 127.0.0.1:8081: ")
