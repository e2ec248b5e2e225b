"""Totals and how they look."""


def hours(minutes):
    return f"{minutes // 60}:{minutes % 60}"


def totals(entries):
    sums = {}
    for entry in entries:
        sums[entry["project"]] = sums.get(entry["project"], 0) + entry["minutes"]
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))


def render(entries, top=5):
    rows = totals(entries)[:top]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {hours(minutes):>6}" for name, minutes in rows)
