"""What the bot does when somebody writes, votes or presses a button: a module a topic."""
