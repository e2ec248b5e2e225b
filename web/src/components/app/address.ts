//! The conversation that the page's address names, and a place in it.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The session after the `#`, if it is one. */
export function sessionInHash(): string | undefined {
  const [id = ""] = location.hash.slice(1).split("@");
  return UUID.test(id) ? id.toLowerCase() : undefined;
}

/** The event behind the `@`, if there is one. */
export function eventInHash(): number | undefined {
  const [, seq = ""] = location.hash.split("@");
  return /^[0-9]{1,15}$/.test(seq) ? Number(seq) : undefined;
}
