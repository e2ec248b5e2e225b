import test from 'node:test';
import assert from 'node:assert';
import { Board } from '../src/board.js';

test('wraps on the left edge', () => {
  const b = new Board(20, 15);
  assert.deepStrictEqual(b.wrap({ x: -1, y: 3 }), { x: 19, y: 3 });
});

test('inside the board', () => {
  const b = new Board(20, 15);
  assert.ok(b.isInside({ x: 0, y: 0 }));
  assert.ok(!b.isInside({ x: 20, y: 0 }));
});
