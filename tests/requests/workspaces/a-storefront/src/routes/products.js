const express = require('express');
const products = require('../../data/products.json');

const router = express.Router();

router.get('/', (req, res) => {
  res.json(products.filter((p) => p.active));
});

router.get('/:sku', (req, res) => {
  const hit = products.find((p) => p.sku === req.params.sku);
  if (!hit) {
    console.log('no such product', req.params.sku);
    return res.status(404).json({ error: 'not found' });
  }
  res.json(hit);
});

module.exports = router;
