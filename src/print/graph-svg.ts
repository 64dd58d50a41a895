/** Writes a graph as a standalone SVG document. It has no scripts and no references to files. */
import {
  type BoxFace,
  boxParts,
  type Label,
  NAME_SIZE,
  type Part,
  type PartRole,
  ROW_SIZE,
} from '#analysis/graph/box-parts.ts';
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import { edgePath, labelPlace, tipPath } from '#analysis/graph/trace-edge.ts';
import { escapeXml } from './escape-xml.ts';

export type GraphColours = {
  readonly ground: string;
  readonly box: string;
  readonly border: string;
  readonly text: string;
  readonly dim: string;
  readonly chip: string;
  readonly edge: string;
  readonly back: string;
  readonly lit: string;
  /** Returns the colors of a kind's badge: letter and background. */
  readonly tone: (kind: number) => { readonly text: string; readonly ground: string };
};

export const MARGIN = 24;
const FONT = 'ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace';

/** Returns the graph as an SVG document. `faceOf` returns a box's parts other than its text. */
export function graphSvg(
  scene: Scene,
  faceOf: (box: SceneBox) => BoxFace,
  colours: GraphColours,
  title: string,
): string {
  const { x, y, width, height } = scene.picture.bounds;
  const view = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view.join(' ')}" width="${view[2]}" height="${view[3]}" font-family="${FONT}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="${view[0]}" y="${view[1]}" width="100%" height="100%" fill="${colours.ground}"/>`,
    ...edgeLines(scene, colours),
  ];
  for (let i = 0; i < scene.boxCount; i++) {
    const box = scene.box(i);
    const tone = colours.tone(box.text.kind);
    lines.push(`<g transform="translate(${box.x} ${box.y})">`);
    for (const part of boxParts(box.text, faceOf(box), box.height)) {
      const line = partLine(part, colours, tone);
      if (line !== '') lines.push(line);
    }
    lines.push('</g>');
  }
  return [...lines, '</svg>', ''].join('\n');
}

function edgeLines(scene: Scene, colours: GraphColours): string[] {
  const { links } = scene.picture;
  const paths: string[] = [];
  const texts: string[] = [];
  for (let i = 0; i < scene.linkCount; i++) {
    const { direction, text } = scene.link(i);
    const start = links.starts[i] ?? 0;
    const end = links.starts[i + 1] ?? 0;
    const isApart = direction === 'back' || direction === 'self';
    const stroke = isApart ? colours.back : colours.edge;
    const dash = isApart ? ' stroke-dasharray="5 3"' : '';
    paths.push(
      `<path d="${edgePath(links.points, start, end)}" fill="none" stroke="${stroke}"${dash}/>`,
      `<path d="${tipPath(links.points, end)}" fill="${stroke}"/>`,
    );
    if (text === '') continue;
    const { x, y, width, isLeft } = labelPlace(links.points, start, { text, direction });
    texts.push(
      `<rect x="${x}" y="${y - 8}" width="${width}" height="16" fill="${colours.ground}"/>`,
      `<text x="${isLeft ? x + width - 3 : x + 3}" y="${y + 3.5}" font-size="10" text-anchor="${isLeft ? 'end' : 'start'}" fill="${colours.dim}">${escapeXml(text)}</text>`,
    );
  }
  return [...paths, ...texts];
}

function partLine(
  part: Part,
  colours: GraphColours,
  tone: { readonly text: string; readonly ground: string },
): string {
  if (part.shape === 'text') return textLine(part, colours, tone.text);
  const { role, x, y, width, height, radius } = part;
  const fill = rectFill(role, colours, tone.ground);
  if (fill === null) return '';
  const stroke = role === 'frame' ? ` stroke="${colours.border}"` : '';
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${stroke}/>`;
}

function rectFill(role: PartRole, colours: GraphColours, badge: string): string | null {
  switch (role) {
    case 'frame':
      return colours.box;
    case 'badge':
      return badge;
    case 'chip':
    case 'button':
      return colours.chip;
    case 'line':
      return colours.border;
    default:
      return null;
  }
}

function textLine({ role, x, y, anchor, text }: Label, colours: GraphColours, tone: string) {
  const isName = role === 'name';
  const fill = role === 'letter' ? tone : isName || role === 'row' ? colours.text : colours.dim;
  const weight = isName || role === 'letter' ? ' font-weight="600"' : '';
  return `<text x="${x}" y="${y}" font-size="${isName ? NAME_SIZE : ROW_SIZE}" text-anchor="${anchor}" fill="${fill}"${weight} xml:space="preserve">${escapeXml(text)}</text>`;
}
