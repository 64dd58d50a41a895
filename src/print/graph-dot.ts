/**
 * A graph in DOT, the language of Graphviz: boxes as records with a port for each
 * member, so that edges leave from the member there too.
 *
 * Source: graphviz.org, "The DOT Language" and "Record-based Nodes".
 */
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';

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
