"""The Telegram face of the quiz tutor."""
