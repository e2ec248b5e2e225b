//! The conversation that the page's address names.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The session after the `#`, if it is one. */
export function sessionInHash(): string | undefined {
  const id = location.hash.slice(1);
  return UUID.test(id) ? id.toLowerCase() : undefined;
}
