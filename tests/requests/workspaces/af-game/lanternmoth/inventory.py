CAPACITY = 8


class Inventory:
    def __init__(self):
        self._items = {}

    def add(self, item, count=1):
        if self.total() + count > CAPACITY:
            return False
        self._items[item] = self._items.get(item, 0) + count
        return True

    def remove(self, item):
        if item not in self._items:
            return False
        self._items[item] -= 1
        if self._items[item] == 0:
            del self._items[item]
        return True

    def total(self):
        return sum(self._items.values())

    def fmt_list(self):
        # TODO: sort by weight once items have weights
        return ", ".join(f"{n} x {item}" for item, n in sorted(self._items.items()))
