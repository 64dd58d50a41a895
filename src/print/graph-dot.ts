/**
 * A graph in DOT, the language of Graphviz: boxes as records with a port for each
 * member, so that edges leave from the member there too.
 *
 * Source: graphviz.org, "The DOT Language" and "Record-based Nodes".
 */

import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import { append } from '#bytes/append.ts';

/** The whole graph as a DOT document. Names are escaped: none can end a string or a field. */
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

/** Text of a record's field: what parts fields is escaped, then what ends a string. */
function field(text: string): string {
  return plain(text)
    .replace(/[\\{}|<>"]/g, (c) => `\\${c}`)
    .replaceAll(' ', '\\ ');
}

function quoted(text: string): string {
  return plain(text).replace(/[\\"]/g, (c) => `\\${c}`);
}

/** Graphviz reads entities in every label: `&#x202e;` would turn the direction after all. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;');
}

/**
 * A graph as a Mermaid class diagram, which GitHub and many wikis draw: a class for
 * each box, its members in it.
 *
 * Source: mermaid.js.org, "Class diagrams". Names that Mermaid cannot read stand
 * as labels in quotes, with entity codes for what would end them.
 */

/** The whole graph as a Mermaid document. */
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

/** Everything but letters, digits and what C names and types are written with, as entity codes. */
function coded(text: string): string {
  return text.replace(/[^\p{L}\p{N}_ .,\-…]/gu, (c) => `#${c.codePointAt(0)};`);
}
