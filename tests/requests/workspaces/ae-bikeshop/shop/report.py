"""Prints what has to be ordered again."""
from shop.stock import find_sku, load, low_items


def main(path="data/products.csv"):
    products = load(path)
    for sku in low_items(products):
        product = find_sku(products, sku)
        print(f"{sku}  {product['name']}  ({product['stock']} left, {product['supplier']})")


if __name__ == "__main__":
    main()
