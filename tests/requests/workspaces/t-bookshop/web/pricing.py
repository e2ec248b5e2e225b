"""Prices for the Dogear website."""

BULK_FROM = 3
BULK_PERCENT = 10
FREE_SHIPPING_OVER = 45.00
ROUND_TO = 0.25


def asking_price(cost, factor=2.5):
    """Asking price for a book that cost us `cost`."""
    return round(cost * factor / ROUND_TO) * ROUND_TO


def order_total(prices):
    """Total of an order; from BULK_FROM books on there is a discount."""
    total = sum(prices)
    if len(prices) > BULK_FROM:
        total = total * (100 - BULK_PERCENT) / 100
    return round(total, 2)


def shipping(total, country):
    # TODO: Belgium has its own price now
    if total > FREE_SHIPPING_OVER:
        return 0.0
    if country == "NL":
        return 4.25
    return 9.80
