"""A Telegram inside this machine: for `quiz-tutor demo` and for conversation tests."""
