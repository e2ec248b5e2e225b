"""Reads lines of the station and appends them to one CSV per day."""
import argparse
import configparser
import datetime
import os

from logger.convert import sector

FIELDS = ["time", "temp_c", "hum", "press_hpa", "wind_ms", "gust_ms", "dir_deg", "rain_mm"]
RETRY_S = 5


def checksum(text):
    s = 0
    for ch in text:
        s ^= ord(ch)
    return s


def parse(line):
    """Returns the fields of a line or None if it is damaged."""
    body, _, tail = line.strip().rpartition("*")
    if not body or checksum(body) != int(tail, 16):
        return None
    parts = body.split(",")
    if len(parts) != 7:
        return None
    return [float(p) for p in parts]


def path_for(day, folder):
    return os.path.join(folder, day.strftime("%Y-%m-%d") + ".csv")


def describe(row):
    return "%.1f m/s from %s" % (row[3], sector(row[5]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--port", default="/dev/ttyUSB0")
    ap.add_argument("--settings", default="logger/settings.ini")
    args = ap.parse_args()
    cfg = configparser.ConfigParser()
    cfg.read(args.settings)
    print("port", args.port, "folder", cfg["output"]["folder"], datetime.date.today())


if __name__ == "__main__":
    main()
