"""Write out/products.csv with some sample products."""
import csv
from pathlib import Path

PRODUCTS = [
    ("PEN-01", "Gel pen blue", 2.50),
    ("PEN-02", "Gel pen black", 2.50),
    ("NOTE-A5", "Notebook A5", 6.75),
    ("NOTE-A4", "Notebook A4", 9.25),
    ("CLIP-50", "Paper clips, 50", 1.95),
]

out = Path("out")
out.mkdir(exist_ok=True)
with open(out / "products.csv", "w", newline="") as fh:
    writer = csv.writer(fh)
    writer.writerow(["sku", "name", "price"])
    writer.writerows(PRODUCTS)
print(f"wrote {len(PRODUCTS)} products")
