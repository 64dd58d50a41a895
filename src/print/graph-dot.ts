/** Writes a graph in DOT: records with a port per member (graphviz.org, "Record-based Nodes"). */
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import { append } from '#bytes/arrays.ts';

/** Returns the graph as a DOT document. Names are escaped: none can end a string or a field. */
export function graphDot(scene: Scene): string {
  const lines = [
    'digraph types {',
    '  rankdir=LR;',
    '  node [shape=record, fontname="monospace", fontsize=10];',
    '  edge [fontname="monospace", fontsize=9];',
  ];
  for (let i = 0; i < scene.boxCount; i++) {
    lines.push(`  n${i} [label="${boxLabel(scene.box(i))}"];`);
  }
  for (let i = 0; i < scene.linkCount; i++) {
    const { from, to, row, direction, text } = scene.link(i);
    const port = row < 0 ? ':h' : `:r${row}`;
    const style = direction === 'back' || direction === 'self' ? ', style=dashed' : '';
    lines.push(`  n${from}${port} -> n${to}:h [label="${quoted(text)}"${style}];`);
  }
  return [...lines, '}', ''].join('\n');
}

function boxLabel({ text, linkedRows }: SceneBox): string {
  const size = text.size === null ? '' : ` (${text.size})`;
  const fields = [`<h> ${field(text.name)}${size}`];
  text.rows.forEach(({ name, bits, type }, i) => {
    const what = linkedRows.has(i) || type === '' ? '' : ` : ${type}`;
    fields.push(`<r${i}> ${field(name + bits + what)}`);
  });
  if (text.rest > 0) fields.push(`<r${text.rows.length}> ${text.rest} more`);
  return `{${fields.join('|')}}`;
}

/** Escapes text for a field of a record label, and then for a string. */
function field(text: string): string {
  return plain(text)
    .replace(/[\\{}|<>"]/g, (c) => `\\${c}`)
    .replaceAll(' ', '\\ ');
}

function quoted(text: string): string {
  return plain(text).replace(/[\\"]/g, (c) => `\\${c}`);
}

/** Escapes `&`: Graphviz decodes entities, and `&#x202e;` would change the writing direction. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;');
}

/**
 * Writes a graph as a Mermaid class diagram, which GitHub and many wikis draw: one class per box,
 * with its members. Names that Mermaid cannot read become labels in quotes, with entity codes for
 * special characters. Source: mermaid.js.org, "Class diagrams".
 */

/** Returns the graph as a Mermaid document. */
export function graphMermaid(scene: Scene): string {
  const lines = ['classDiagram', '  direction LR'];
  for (let i = 0; i < scene.boxCount; i++) append(lines, classLines(scene.box(i)));
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

/** Writes characters as entity codes, except letters, digits and ` _.,-…`. */
function coded(text: string): string {
  return text.replace(/[^\p{L}\p{N}_ .,\-…]/gu, (c) => `#${c.codePointAt(0)};`);
}
