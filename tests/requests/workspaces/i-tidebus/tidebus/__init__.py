"""Ferry timetable and fares."""
