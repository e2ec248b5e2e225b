const express = require('express');
const helmet = require('helmet');
const { loadSettings } = require('./settings');

const app = express();
const settings = loadSettings();

app.use(helmet());
app.use(express.json());
app.use('/products', require('./routes/products'));
app.use('/orders', require('./routes/orders'));

const port = process.env.PORT || settings.port;
app.listen(port, () => {
  console.log(`storefront on ${port}`);
});
