import fs from 'node:fs';

export const POINTS_PER_DOT = 10;

export function calcScore(dots, combo) {
  return dots * POINTS_PER_DOT * combo;
}

export function comboBonus(streak) {
  // every five dots in a row double the bonus
  return 2 ** Math.floor(streak / 4);
}

export function loadScores(file) {
  const list = JSON.parse(fs.readFileSync(file, 'utf8'));
  return list.sort((a, b) => b.points - a.points);
}
