"""Fares in euro."""

BASE_FARE = 2.40
PER_KM = 0.19
YOUTH_DISCOUNT = 0.35


def fare(km, youth=False):
    price = BASE_FARE + km * PER_KM
    if youth:
        price = price * (1 - YOUTH_DISCOUNT)
    return round(price, 2)


def group_fare(km, people):
    # FIXME: groups from 6 people should get 20 % off
    return round(fare(km) * people, 2)
