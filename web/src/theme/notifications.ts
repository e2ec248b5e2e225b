//! Whether the user wants notifications; the choice is kept in this browser, which asks before it shows any.

const KEY = "switchboard-notifications";

/** Whether the browser can show them to this page at all: it does so only at a secure address. */
export function canNotify(): boolean {
  return typeof Notification !== "undefined" && isSecureContext;
}

/** Whether they are wanted and allowed. */
export function wantsNotifications(): boolean {
  try {
    return canNotify() && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** Turns them on or off; whether they are on now, which the browser's user may refuse. */
export async function useNotifications(on: boolean): Promise<boolean> {
  const granted = on && (await Notification.requestPermission()) === "granted";
  try {
    localStorage.setItem(KEY, granted ? "on" : "off");
  } catch {
    // Not kept, then.
  }
  return wantsNotifications();
}
