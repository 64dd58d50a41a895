/**
 * A graph as a Mermaid class diagram, which GitHub and many wikis draw: a class for
 * each box, its members in it.
 *
 * Source: mermaid.js.org, "Class diagrams". Names that Mermaid cannot read stand
 * as labels in quotes, with entity codes for what would end them.
 */
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';

/** The whole graph as a Mermaid document. */
export function graphMermaid(scene: Scene): string {
  const lines = ['classDiagram', '  direction LR'];
  for (let i = 0; i < scene.boxCount; i++) lines.push(...classLines(scene.box(i)));
  for (let i = 0; i < scene.linkCount; i++) {
    const link = scene.link(i);
    const { rows } = scene.box(link.from).text;
    const label = `${rows[link.row]?.name ?? ''} ${link.text}`.trim();
    const arrow = link.direction === 'back' || link.direction === 'self' ? '..>' : '-->';
    lines.push(`  n${link.from} ${arrow} n${link.to}${label === '' ? '' : ` : ${coded(label)}`}`);
  }
  return [...lines, ''].join('\n');
}

function classLines({ index, text, linkedRows }: SceneBox): string[] {
  const size = text.size === null ? '' : ` (${text.size})`;
  const lines = [`  class n${index}["${coded(text.name + size)}"]`];
  text.rows.forEach(({ name, bits, type }, i) => {
    const what = linkedRows.has(i) || type === '' ? '' : ` ${type}`;
    lines.push(`  n${index} : ${coded(name + bits + what)}`);
  });
  if (text.rest > 0) lines.push(`  n${index} : ${text.rest} more`);
  return lines;
}

/** Everything but letters, digits and what C names and types are written with, as entity codes. */
function coded(text: string): string {
  return text.replace(/[^\p{L}\p{N}_ .,\-…]/gu, (c) => `#${c.codePointAt(0)};`);
}
