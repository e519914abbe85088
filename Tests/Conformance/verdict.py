"""Counts the checks of the judges of movies and Live Photos."""

import shutil


class Verdict:
    """Counts checks, and prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, is_good, text):
        """Counts a check; `text` describes a failed one."""
        self.passed, self.failed = self.passed + bool(is_good), self.failed + (not is_good)
        if not is_good:
            print(f"FAILED: {text}")

    def has_readers(self):
        """Checks that the programs which read the movies are installed."""
        packages = {"exiftool": "libimage-exiftool-perl", "ffprobe": "ffmpeg"}
        for program, package in packages.items():
            self.check(shutil.which(program), f"{program} is missing: install the Debian package {package}")
        return not self.failed
