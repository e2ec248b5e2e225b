const ZONES: Record<string, number> = {
  SE: 1,
  NO: 1,
  DK: 1,
  FI: 2,
  DE: 2,
  NL: 2,
  PL: 2,
  FR: 3,
  ES: 3,
  IT: 3,
};

export function isKnownZone(country: string): boolean {
  return country in ZONES;
}

export function zoneOf(country: string): number {
  const zone = ZONES[country];
  if (zone === undefined) {
    throw new Error(`unknown country ${country}`);
  }
  return zone;
}
