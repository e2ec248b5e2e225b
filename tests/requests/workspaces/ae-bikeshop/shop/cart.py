"""The shopping cart."""
from shop.pricing import bulk_discount, shipping_cost


class Cart:
    def __init__(self):
        self.lines = {}

    def add(self, sku, price, quantity=1):
        """Puts pieces of an article into the cart."""
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        _, before = self.lines.get(sku, (price, 0))
        self.lines[sku] = (price, before + quantity)

    def remove(self, sku):
        self.lines.pop(sku, None)

    def goods_total(self):
        """Sum of all lines after discount."""
        total = 0.0
        for price, quantity in self.lines.values():
            total += price * quantity * (1 - bulk_discount(quantity))
        return round(total, 2)

    def grand_total(self):
        """Goods and shipping."""
        goods = self.goods_total()
        return round(goods + shipping_cost(goods), 2)
