"""Rename IMG_1234.jpg to 2024-05-06_1234.jpg."""
import os
import re
from datetime import date

PATTERN = re.compile(r"IMG_(\d{4})\.jpe?g$", re.IGNORECASE)
DRY_RUN = True


def new_name(old, day):
    m = PATTERN.match(old)
    if not m:
        return None
    return f"{day.isoformat()}_{m.group(1)}.jpg"


def rename_all(folder):
    # TODO: read the date from the EXIF data
    for name in sorted(os.listdir(folder)):
        target = new_name(name, date.today())
        if target and not DRY_RUN:
            os.rename(os.path.join(folder, name), os.path.join(folder, target))
