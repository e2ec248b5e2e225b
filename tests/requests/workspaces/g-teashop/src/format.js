const LOCALE = "en-GB";
const CURRENCY = "EUR";

export function formatPrice(value) {
  return new Intl.NumberFormat(LOCALE, { style: "currency", currency: CURRENCY }).format(value);
}

export function formatGrams(g) {
  return g >= 1000 ? `${g / 1000} kg` : `${g} g`;
}
