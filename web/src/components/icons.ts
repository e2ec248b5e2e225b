//! The page's few icons: strokes in the colour of the text around them, hidden from screen readers.

import { svg, html, type TemplateResult } from "lit";

const icon = (paths: TemplateResult, size = 18): TemplateResult => html`<svg
  width=${size}
  height=${size}
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="1.8"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
>
  ${paths}
</svg>`;

export const searchIcon = icon(svg`<circle cx="11" cy="11" r="6" /><path d="M15.5 15.5L20 20" />`, 16);
export const moreIcon = icon(svg`<path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="3" />`);
export const pageIcon = icon(svg`<path d="M6 3h8l4 4v14H6zM9 11h6M9 15h6" />`, 16);
export const folderIcon = icon(svg`<path d="M4 6h6l2 2h8v11H4z" />`, 16);
export const pinIcon = icon(svg`<path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />`, 14);
export const menuIcon = icon(svg`<path d="M4 7h16M4 12h16M4 17h10" />`);
export const plusIcon = icon(svg`<path d="M12 5v14M5 12h14" />`);
export const closeIcon = icon(svg`<path d="M6 6l12 12M18 6L6 18" />`);
export const sendIcon = icon(svg`<path d="M12 19V5M6 11l6-6 6 6" />`);
export const attachIcon = icon(svg`<path d="M19 11.5l-7 7a4.5 4.5 0 01-6.4-6.4l7.4-7.4a3 3 0 014.3 4.3l-7.3 7.2a1.5 1.5 0 01-2.2-2.1l6.7-6.6" />`);
export const stopIcon = icon(svg`<rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentColor" stroke="none" />`);
export const penIcon = icon(svg`<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3" />`, 16);
export const toolIcon = icon(svg`<path d="M14.5 6.5a4 4 0 01-5.3 5.2L5 16l3 3 4.3-4.2a4 4 0 005.2-5.3L15 12l-3-3z" />`, 15);
export const storedIcon = icon(svg`<path d="M4 12V5h7l9 9-7 7zM8 9h.01" />`, 15);
export const changedIcon = icon(svg`<path d="M6 4h8l4 4v12H6zM9 12h6M12 9v6" />`, 15);
export const copyIcon = icon(svg`<path d="M9 9h10v11H9zM15 9V4H5v11h4" />`, 16);
export const againIcon = icon(svg`<path d="M19 12a7 7 0 11-2.2-5.1M19 4v4h-4" />`, 16);
export const binIcon = icon(svg`<path d="M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12" />`, 16);
export const chevronIcon = icon(svg`<path d="M9 6l6 6-6 6" />`, 15);
export const backIcon = icon(svg`<path d="M15 6l-6 6 6 6" />`, 15);
export const replayIcon = icon(svg`<path d="M5 12a7 7 0 102.2-5.1M5 4v4h4M12 9v4l2.5 1.5" />`, 16);
export const checkIcon = icon(svg`<path d="M5 12.5l4.5 4.5L19 7.5" />`, 15);
export const crossIcon = icon(svg`<path d="M7 7l10 10M17 7L7 17" />`, 15);
export const waitIcon = icon(svg`<circle cx="12" cy="12" r="8" /><path d="M12 8v4l2.5 2" />`, 15);
export const floatIcon = icon(svg`<path d="M4 8v12h12M9 4h11v11H9z" />`, 16);
export const dockIcon = icon(svg`<path d="M4 5h16v14H4zM14 5v14" />`, 16);
export const minimizeIcon = icon(svg`<path d="M6 17h12" />`, 16);
export const maximizeIcon = icon(svg`<path d="M6 6h12v12H6z" />`, 16);
export const restoreIcon = icon(svg`<path d="M5 9h10v10H5zM9 9V5h10v10h-4" />`, 16);
export const downIcon = icon(svg`<path d="M12 5v14M6 13l6 6 6-6" />`);
export const exportIcon = icon(svg`<path d="M12 4v11M7 10l5 5 5-5M5 20h14" />`);
export const boxIcon = icon(svg`<path d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8" />`);
export const gearIcon = icon(
  svg`<circle cx="12" cy="12" r="3" /><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1" />`,
);
