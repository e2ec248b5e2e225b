const TIMEOUT_MS = 8000;
const RETRIES = 2;

export async function getJson(path) {
  const ctl = new AbortController();
  const timer = setTimeout(() => ctl.abort(), TIMEOUT_MS);
  try {
    const res = await fetch(import.meta.env.API_BASE + path, { signal: ctl.signal });
    if (!res.ok) {
      throw new Error(`api answered ${res.status}`);
    }
    return await res.json();
  } finally {
    clearTimeout(timer);
  }
}

// FIXME: retries are not used yet
export function fetchProducts() {
  console.log("fetchProducts");
  return getJson("/products");
}
