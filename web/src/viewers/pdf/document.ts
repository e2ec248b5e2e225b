//! A PDF, opened by pdf.js in a worker of its own, which is ended with it. Only the parts of the file that are looked at are
//! read. Nothing in a PDF runs: what runs its scripts is not in the page, and no WebAssembly is used.

import { getDocument, PasswordException, PasswordResponses, PDFDataRangeTransport, PDFWorker, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { t } from "../../i18n";
import { fill } from "../../i18n/fill";
import { size } from "../../text/format";
import { startPdfWorker } from "../../trust/policy";
import { MOST_SHOWN, part, type Source } from "../content";

/** How many bytes are read at once. */
const CHUNK = 128 * 1024;
/** The most pages; a file may claim any number of them. */
const MOST_PAGES = 5_000;
/** The largest picture in a PDF, in pixels; larger ones are left out. */
const MOST_PIXELS = 64 * 1024 * 1024;
/** Where the decoders for two kinds of pictures are, which the worker loads when it meets one. */
const DECODERS = new URL("./pdf/", import.meta.url).href;

/** A PDF that is open. */
export interface Pdf {
  document: PDFDocumentProxy;
  first: PDFPageProxy;
  /** The beginning of its file, and how large it is: another file has another one. */
  head: Uint8Array;
  total: number;
  close: () => void;
}

/** It is locked with a password, and none or the wrong one was given. */
export interface Locked {
  wrong: boolean;
}

/** The file's beginning, and how large it is. */
export function headOf(source: Source): Promise<{ bytes: Uint8Array; total: number }> {
  return part(source, 0, CHUNK);
}

/** Opens a PDF; a problem is thrown in words, and one that comes later is told to `failed`. */
export async function openPdf(source: Source, password: string | undefined, failed: (problem: Error) => void): Promise<Pdf | Locked> {
  const { bytes: head, total } = await headOf(source);
  if (total > MOST_SHOWN) throw new Error(fill(t.windows.pdf.tooLarge, { size: size(total), most: size(MOST_SHOWN) }));
  if (total === 0) throw new Error(t.windows.pdf.damaged);
  const stop = new AbortController();
  const port = startPdfWorker();
  const worker = PDFWorker.create({ port });
  let range!: Ranges;
  let problem: Error | undefined;
  const broken = new Promise<never>((_, reject) => {
    const fail = (reason: Error) => {
      problem ??= reason;
      reject(reason);
      close();
      failed(reason);
    };
    range = new Ranges(source, total, head.slice(), stop.signal, fail);
    port.addEventListener("error", () => fail(new Error(t.windows.pdf.damaged)));
  });
  const task = getDocument({
    range,
    worker,
    password,
    rangeChunkSize: CHUNK,
    disableStream: true,
    disableAutoFetch: true,
    disableWorkerRendering: true,
    useWasm: false,
    useWorkerFetch: false,
    wasmUrl: DECODERS,
    maxImageSize: MOST_PIXELS,
    enableXfa: false,
    verbosity: 0,
  });
  const close = () => {
    if (stop.signal.aborted) return;
    stop.abort();
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    const document = await Promise.race([task.promise, broken]);
    const first = await Promise.race([document.getPage(1), broken]);
    if (document.numPages <= MOST_PAGES) return { document, first, head, total, close };
    problem = new Error(fill(t.windows.pdf.tooManyPages, { n: String(document.numPages) }));
    throw problem;
  } catch (error) {
    close();
    if (error instanceof PasswordException) return { wrong: error.code === PasswordResponses.INCORRECT_PASSWORD };
    throw problem ?? new Error(t.windows.pdf.damaged);
  }
}

/** Reads the parts that pdf.js asks for. */
class Ranges extends PDFDataRangeTransport {
  constructor(
    private readonly source: Source,
    total: number,
    head: Uint8Array,
    private readonly stop: AbortSignal,
    private readonly failed: (reason: Error) => void,
  ) {
    super(total, head);
  }

  override requestDataRange(begin: number, end: number): void {
    part(this.source, begin, end - begin, this.stop).then(
      ({ bytes, total }) => {
        if (this.stop.aborted) return;
        if (total === this.length && bytes.length === end - begin) this.onDataRange(begin, bytes);
        else this.failed(new Error(t.editor.changedWhileRead));
      },
      (reason: Error) => this.stop.aborted || this.failed(reason),
    );
  }
}
