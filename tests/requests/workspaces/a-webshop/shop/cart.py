from dataclasses import dataclass, field

MAX_QTY = 99


@dataclass
class CartItem:
    sku: str
    price: float
    qty: int = 1

    def line_total(self):
        return round(self.price * self.qty, 2)


@dataclass
class Cart:
    items: dict = field(default_factory=dict)

    def add(self, sku, price, qty=1):
        if qty < 1:
            raise ValueError("qty must be positive")
        item = self.items.get(sku)
        if item is None:
            self.items[sku] = CartItem(sku, price, qty)
        else:
            item.qty = min(item.qty + qty, MAX_QTY)

    def remove(self, sku):
        self.items.pop(sku, None)

    def subtotal(self):
        return round(sum(i.line_total() for i in self.items.values()), 2)

    def item_count(self):
        return sum(i.qty for i in self.items.values())

    def is_empty(self):
        return not self.items
