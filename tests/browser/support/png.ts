//! A picture, made by hand.

import { deflateSync, crc32 } from "node:zlib";

/** A PNG of 120 pixels by `height`. */
export function png(height = 80): Buffer {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(120, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = (y: number) => Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: 360 }, (_, at) => (at % 3 === 0 ? at / 2 : at % 3 === 1 ? y * 3 : 120) & 255))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, (_, y) => line(y))));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa]), chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}
