//! The address that a server prints when it made its own token holds that token: the page logs in with it and takes it
//! out of the address, so that it is neither shown, kept nor passed on.

import { login } from "./api";

/** Logs in with `?token=` of the address, if there is one. A wrong one is dropped: the page then asks. */
export async function acceptInvitation(): Promise<void> {
  const address = new URL(location.href);
  const token = address.searchParams.get("token");
  if (token === null) return;
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
  await login(token).catch(() => undefined);
}
