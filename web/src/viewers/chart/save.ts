//! A chart as a file of its own: its colors and fonts are those that it has on the page just now.

const SVG = "http://www.w3.org/2000/svg";
const KEPT = ["fill", "stroke", "color", "font-family", "font-size", "font-weight"];
/** How much finer than the screen a picture is. */
const FINER = 2;

/** The SVG as a document; `ground` is the color behind it. */
export function svgText(svg: SVGSVGElement, title: string, ground: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [shown, written] = [[svg, ...svg.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  shown.forEach((part, at) => {
    const style = getComputedStyle(part);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "") written[at]?.setAttribute(name, value);
    }
    written[at]?.removeAttribute("style");
  });
  const box = copy.viewBox?.baseVal;
  const [x, y, width, height] = box && box.width > 0 ? [box.x, box.y, box.width, box.height] : [0, 0, svg.clientWidth, svg.clientHeight];
  const back = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: ground })) back.setAttribute(name, String(value));
  const heading = document.createElementNS(SVG, "title");
  heading.textContent = title;
  copy.prepend(heading, back);
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a picture. */
export async function pngOf(text: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * FINER, height * FINER];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
