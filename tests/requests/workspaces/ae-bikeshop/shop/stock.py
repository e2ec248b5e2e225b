"""Reads the product list and tells what is running out."""
import csv
import json

LOW = 3


def load(path):
    with open(path, newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def low_items(products, limit=LOW):
    """Articles with fewer pieces than the limit."""
    return [p["sku"] for p in products if int(p["stock"]) < limit]


def find_sku(products, sku):
    for product in products:
        if product["sku"] == sku:
            return product
    raise KeyError(sku)
