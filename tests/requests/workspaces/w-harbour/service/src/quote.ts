import { zoneOf } from "./zones.js";

export const FREE_FROM = 75;
const HEAVY_KG = 20;
const HEAVY_FEE = 12.5;

const BASE: Record<number, number> = { 1: 4.9, 2: 8.9, 3: 16.5 };

/** Price of sending one parcel. Parcels heavier than 20 kg pay the heavy fee. */
export function quoteShipping(country: string, weightKg: number, total: number): number {
  const zone = zoneOf(country);
  let price = BASE[zone];
  if (zone === 1 && total >= FREE_FROM) {
    price = 0;
  }
  if (weightKg >= HEAVY_KG) {
    price += HEAVY_FEE;
  }
  // TODO: islands cost more
  return roundCents(price);
}

function roundCents(value: number): number {
  return Math.round(value * 100) / 100;
}

// TODO: remove, nobody calls this any more
export function formatEuro(value: number): string {
  return `${value.toFixed(2)} EUR`;
}
