"""Taxes, shipping and coupons."""

GST_RATE = 0.05
FREE_SHIPPING_FROM = 75.0
FLAT_SHIPPING = 8.95

COUPONS = {
    "WELCOME10": 0.10,
    "BACK2SCHOOL": 0.15,
    "STAFF": 0.30,
}


def gst(amount):
    return round(amount * GST_RATE, 2)


def shipping(subtotal):
    # FIXME: free shipping should start AT the limit, not above it
    if subtotal > FREE_SHIPPING_FROM:
        return 0.0
    return FLAT_SHIPPING


def apply_coupon(amount, code):
    """Take the coupon off the amount; unknown codes change nothing."""
    rate = COUPONS.get(code.upper(), 0.0)
    return round(amount * (1 - rate), 2)


def grand_total(subtotal, code=""):
    net = apply_coupon(subtotal, code)
    return round(net + gst(net) + shipping(net), 2)
