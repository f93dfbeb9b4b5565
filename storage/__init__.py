"""What the bot remembers: the only place with SQL."""
