import Fastify from "fastify";
import { readFileSync } from "node:fs";
import { quoteShipping } from "./quote.js";
import { isKnownZone } from "./zones.js";

const PORT = 8471;
const app = Fastify({ logger: true });

app.get("/health", async () => ({ status: "ok" }));

// TODO: reject bodies without a cart
app.post("/api/shipping/quote", async (request, reply) => {
  const { country, weightKg, total } = request.body as {
    country: string;
    weightKg: number;
    total: number;
  };
  if (!isKnownZone(country)) {
    reply.code(422);
    return { error: "we do not shipp to this country" };
  }
  return { price: quoteShipping(country, weightKg, total) };
});

app.listen({ port: PORT, host: "0.0.0.0" });
