"""What a quiz is and how it is played: no Telegram, no SQLite, no clock of its own."""
