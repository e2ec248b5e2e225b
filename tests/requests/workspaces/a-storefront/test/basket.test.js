const test = require('node:test');
const assert = require('node:assert');
const { Basket } = require('../src/basket');

test('empty basket costs nothing', () => {
  assert.strictEqual(new Basket().gross(), 0);
});

test('gross is net plus tax', () => {
  const b = new Basket();
  b.add({ price: 100, category: 'tea' }, 2);
  assert.strictEqual(b.gross(), 210);
});

test('quantity defaults to one', () => {
  const b = new Basket();
  b.add({ price: 40, category: 'crockery' });
  assert.strictEqual(b.net(), 40);
});

test('paise rounding', () => {
  const { paise } = require('../src/currency');
  assert.strictEqual(paise(10.25), 1025);
});
