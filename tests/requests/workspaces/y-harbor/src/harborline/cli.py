import json
import os
import sys

from .fares import fare_for, fare_for_group
from .schedule import next_departure


def main(argv=None):
    args = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in args
    args = [a for a in args if a != "--json"]
    if len(args) < 2:
        print("usage: harborline fare KIND [COUNT] | next HH:MM")
        return 2
    if args[0] == "fare":
        count = int(args[2]) if len(args) > 2 else 1
        result = count * fare_for(args[1])
    elif args[0] == "group":
        result = fare_for_group(int(args[1]))
    else:
        result = next_departure(args[1])
    print(json.dumps({"result": result}) if as_json else result)
    return 0
