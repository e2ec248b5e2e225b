// GST slabs in percent, by category
const SLABS = {
  tea: 5,
  biscuits: 18,
  crockery: 12,
};

function taxFor(category, amount) {
  const slab = SLABS[category];
  if (slab === undefined) {
    throw new Error(`unknown category: ${category}`);
  }
  return Math.round(amount * slab) / 100;
}

module.exports = { SLABS, taxFor };
