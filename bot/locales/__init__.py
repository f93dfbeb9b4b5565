"""The bot's own words, one Fluent file a language."""
