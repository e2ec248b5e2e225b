export function randomInt(min, max) {
  return min + Math.floor(Math.random() * (max - min + 1));
}

export function pick(list) {
  return list[randomInt(0, list.length - 1)];
}
