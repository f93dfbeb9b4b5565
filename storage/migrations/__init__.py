"""The schema's history: one SQL file a step, numbered by the version it leads to."""
