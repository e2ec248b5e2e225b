//! PDFs, written by hand: as many pages as are wanted, each with its lines; large, locked, or with scripts in them.

import { createHash } from "node:crypto";

interface Wanted {
  /** The lines of each page. */
  pages: readonly (readonly string[])[];
  /** How many bytes there are that no page needs. */
  padding?: number;
  /** The password that opens it. */
  password?: string;
  /** Further entries of the catalog. */
  catalog?: string;
  /** Further entries of each page. */
  page?: string;
  /** What is drawn on each page below the lines. */
  draw?: string;
  /** Further objects, from 4 on. */
  objects?: readonly string[];
}

/** The file. */
export function pdf({ pages, padding = 0, password, catalog = "", page = "", draw = "", objects = [] }: Wanted): Buffer {
  const parts: Buffer[] = [];
  const offsets = [0];
  let length = 0;
  const add = (bytes: Buffer | string) => {
    const part = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, "latin1");
    parts.push(part);
    length += part.length;
  };
  const lock = password === undefined ? undefined : locked(password);
  const object = (body: string | ((number: number) => Buffer)) => {
    offsets.push(length);
    const number = offsets.length - 1;
    add(`${number} 0 obj\n`);
    add(typeof body === "string" ? body : body(number));
    add("\nendobj\n");
  };
  const stream = (content: Buffer) => (number: number) => {
    const hidden = lock ? lock.hide(number, content) : content;
    return Buffer.concat([Buffer.from(`<< /Length ${hidden.length} >>\nstream\n`), hidden, Buffer.from("\nendstream")]);
  };
  const first = 4 + objects.length;
  add("%PDF-1.4\n");
  object(`<< /Type /Catalog /Pages 2 0 R ${catalog} >>`);
  object(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + 2 * at} 0 R`).join(" ")}] >>`);
  object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const each of objects) object(each);
  pages.forEach((lines, at) => {
    object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * at + 1} 0 R ${page} >>`);
    const shown = lines.map((line, row) => `BT /F1 ${row === 0 ? 24 : 12} Tf 60 ${760 - 28 * row} Td (${line.replace(/[()\\]/g, "\\$&")}) Tj ET`);
    object(stream(Buffer.from(`0.06 0.42 0.38 rg 60 790 475 4 re f 0 g\n${shown.join("\n")}\n${draw}`, "latin1")));
  });
  if (padding > 0) object(stream(Buffer.alloc(padding, "x")));
  const xref = length;
  add(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${offsets.slice(1).map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}`);
  add(`trailer\n<< /Size ${offsets.length} /Root 1 0 R ${lock ? lock.entries : ""} >>\nstartxref\n${xref}\n%%EOF\n`);
  return Buffer.concat(parts);
}

const PAD = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const md5 = (...parts: Buffer[]) => createHash("md5").update(Buffer.concat(parts)).digest();

/** The standard security handler as it was first (revision 2, keys of 40 bits). */
function locked(password: string): { entries: string; hide: (number: number, content: Buffer) => Buffer } {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), PAD]).subarray(0, 32);
  const id = md5(padded);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const hex = (bytes: Buffer) => `<${bytes.toString("hex")}>`;
  return {
    entries: `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PAD))} /P -4 >>`,
    hide: (number, content) => rc4(md5(key, Buffer.from([number & 255, number >> 8, 0, 0, 0])).subarray(0, 10), content),
  };
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, other: number) => ([state[one], state[other]] = [state[other]!, state[one]!]);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]!) & 255;
      swap(i, j);
      return byte ^ state[(state[i]! + state[j]!) & 255]!;
    }),
  );
}
