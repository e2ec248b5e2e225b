import { formatPrice, formatGrams } from "../format.js";

export function ProductCard({ product, onAdd }) {
  return (
    <article class="card">
      <h3>{product.name}</h3>
      <p>{formatGrams(product.grams)}</p>
      <p class="price">{formatPrice(product.price)}</p>
      <button onClick={() => onAdd(product)}>Add to basket</button>
    </article>
  );
}
