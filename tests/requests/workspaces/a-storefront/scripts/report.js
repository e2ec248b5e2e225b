const products = require('../data/products.json');

const out = products.filter((p) => p.stock === 0).map((p) => p.sku);
const value = products.reduce((s, p) => s + p.price * p.stock, 0);
console.log(`out of stock: ${out.join(', ')}`);
console.log(`stock value: ${value}`);
