/** Draws a badge with the version of Linux that an object needs. */
import type { Needs } from '#analysis/needs/needs.ts';
import { visible } from '#bytes/text.ts';
import { escapeXml } from './escape-xml.ts';
import { needsSentence } from './needs-text.ts';

const HEIGHT = 20;
const PADDING = 6;
/** Widths of characters in Verdana 11 pixels, in pixels; wide ones and narrow ones. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,'|:!]/, 4],
  [/[frt ()]/, 4.6],
  [/[mwMW≥≤]/, 9.5],
  [/[A-Z]/, 7.5],
];
const OTHER_WIDTH = 7;

/** Returns a badge as SVG: `Linux | ≥ 5.12`. The title is the whole answer. */
export function needsBadge(needs: Needs): string {
  const { version, never } = needs;
  const label = 'Linux';
  const value = never.length > 0 ? 'none' : version === null ? 'any' : `≥ ${version}`;
  const left = Math.round(textWidth(label) + 2 * PADDING);
  const right = Math.round(textWidth(value) + 2 * PADDING);
  const width = left + right;
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" textLength="${Math.round(textWidth(words))}">${escapeXml(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${escapeXml(`${label}: ${value}`)}">`,
    `<title>${escapeXml(visible(needsSentence(needs)))}</title>`,
    `<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#c)"><rect width="${left}" height="${HEIGHT}" fill="#444"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#0b6e4f"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    text(left / 2, label),
    text(left + right / 2, value),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function textWidth(text: string): number {
  return [...text].reduce((width, character) => {
    const [, known = OTHER_WIDTH] = WIDTHS.find(([of]) => of.test(character)) ?? [];
    return width + known;
  }, 0);
}
