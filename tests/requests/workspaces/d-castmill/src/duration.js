// Durations are kept in seconds and shown as h:mm:ss.

export function parseDuration(text) {
  const parts = text.split(":").map(Number);
  // TODO: reject negative numbers
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

export function formatDuration(seconds) {
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = seconds % 60;
  const pad = (n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}
