import test from 'node:test';
import assert from 'node:assert';
import { calcScore, comboBonus } from '../src/score.js';

test('ten points per dot', () => {
  assert.strictEqual(calcScore(7, 1), 70);
});

test('combo doubles after five dots', () => {
  assert.strictEqual(comboBonus(4), 1);
  assert.strictEqual(comboBonus(5), 2);
});
