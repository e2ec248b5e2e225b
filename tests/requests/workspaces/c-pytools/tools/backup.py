"""Copy a folder next to itself with a time stamp."""
import shutil
import sys
import time

KEEP = 7


def backup(folder):
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target = f"{folder}.{stamp}"
    shutil.copytree(folder, target)
    print("copied to", target)
    return target


def prune(folder):
    # FIXME: never deletes anything
    return []


if __name__ == "__main__":
    backup(sys.argv[1])
