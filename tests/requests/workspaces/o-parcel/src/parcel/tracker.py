from parcel.rates import calc_rate


class Tracker:
    """Follows one parcel."""

    def __init__(self, parcel):
        self.parcel = parcel

    def cost(self):
        return calc_rate(self.parcel.weight, self.parcel.country)

    def is_late(self, today):
        # FIXME: weekends
        return (today - self.parcel.shipped).days > 5
