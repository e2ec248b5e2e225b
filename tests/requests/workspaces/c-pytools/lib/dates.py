from datetime import date, timedelta


def days_between(a, b):
    return abs((b - a).days)


def next_weekday(day, weekday):
    ahead = (weekday - day.weekday()) % 7
    return day + timedelta(days=ahead or 7)


def is_leap(year):
    return year % 4 == 0 and year % 100 != 0


def quarter(day):
    return (day.month - 1) // 3 + 1
