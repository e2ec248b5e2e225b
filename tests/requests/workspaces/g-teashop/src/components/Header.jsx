import { label } from "../cart.js";

export function Header({ items }) {
  return (
    <header class="top">
      <a href="/" class="logo">Leaf &amp; Kettle</a>
      <nav>
        <a href="/green">Green</a>
        <a href="/black">Black</a>
        <a href="/herbal">Herbal</a>
      </nav>
      <span class="cart">{label(items)}</span>
    </header>
  );
}
