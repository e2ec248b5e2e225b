import { formatPrice } from "./format.js";

export const FREE_SHIPPING_FROM = 45;
export const SHIPPING_COST = 4.9;
const MAX_ITEMS = 40;

export function subtotal(items) {
  return items.reduce((sum, i) => sum + i.price * i.qty, 0);
}

export function shipping(items) {
  return subtotal(items) >= FREE_SHIPPING_FROM ? 0 : SHIPPING_COST;
}

export function addItem(items, item) {
  if (items.length >= MAX_ITEMS) {
    throw new Error("cart is full");
  }
  console.log("addItem", item.sku);
  return [...items, item];
}

// TODO: vouchers that only count for one category
export function label(items) {
  return formatPrice(subtotal(items) + shipping(items));
}
