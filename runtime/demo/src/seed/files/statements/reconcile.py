"""Compare the bank's file with what the ledger booked."""

from collections import Counter
from pathlib import Path


def unmatched(bank: Path, booked: Counter[str]) -> list[str]:
    """References the bank knows and the ledger does not."""
    seen = Counter(line.split(";")[2] for line in bank.read_text("utf-8").splitlines())
    return sorted((seen - booked).elements())
