"""Counts the checks of the judges of movies and Live Photos."""


class Verdict:
    """Counts checks, and prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, is_good, text):
        """Counts a check; `text` describes a failed one."""
        self.passed, self.failed = self.passed + bool(is_good), self.failed + (not is_good)
        if not is_good:
            print(text)
