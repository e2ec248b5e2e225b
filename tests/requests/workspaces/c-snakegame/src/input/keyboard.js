import { Game } from '../game.js';

const KEYS = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

export function onKey(game, key) {
  console.log('key', key);
  if (KEYS[key]) {
    game.turn(KEYS[key]);
  }
}
