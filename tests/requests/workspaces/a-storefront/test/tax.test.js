const test = require('node:test');
const assert = require('node:assert');
const { taxFor } = require('../src/tax');

test('tea is taxed at 5 percent', () => {
  assert.strictEqual(taxFor('tea', 200), 10);
});

test('biscuits are taxed at 18 percent', () => {
  assert.strictEqual(taxFor('biscuits', 50), 9);
});

test('unknown category throws', () => {
  assert.throws(() => taxFor('cars', 1));
});
