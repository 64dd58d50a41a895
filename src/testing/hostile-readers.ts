/**
 * Small strict readers of exported texts, for tests that a name stays a name. Each throws if its
 * format's own program would reject the text.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';

/** Returns rows of cells. RFC 4180; all lines end in CRLF. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
      cell.lastIndex = at;
      const found = cell.exec(text);
      if (found === null) throw new Error(`no cell: ${text.slice(at, at + 80)}`);
      at = cell.lastIndex;
      cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
      if (found[3] !== ',') break;
    }
    rows.push(cells);
  }
  return rows;
}

export type XmlElement = { readonly tag: string; readonly text: string };

const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

/** Matches characters outside Char in XML 1.0, section 2.2, at which a browser's parser stops. */
const NO_CHAR = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/**
 * Returns all elements in order, with the text directly inside them. Does not read comments, CDATA
 * or DTD, which the product does not write.
 */
export function readXml(text: string): XmlElement[] {
  if (NO_CHAR.test(text)) throw new Error('a character that XML does not have');
  const elements: { tag: string; text: string }[] = [];
  const open: { tag: string; text: string }[] = [];
  const piece = /<(\/?)([a-z]+)((?:\s[a-zA-Z:-]+="[^"<&]*")*)(\/?)>|(?:[^<&]|&[a-z]+;){1,1000}/y;
  while (piece.lastIndex < text.length) {
    const from = piece.lastIndex;
    const found = piece.exec(text);
    if (found === null) throw new Error(`no XML: ${text.slice(from, from + 80)}`);
    const [whole, end, tag, , selfEnd] = found;
    if (tag === undefined) {
      const inside = open.at(-1);
      if (inside !== undefined) inside.text += withoutEntities(whole);
    } else if (end === '/') {
      if (open.pop()?.tag !== tag) throw new Error(`${tag} ends, which is not open`);
    } else {
      const element = { tag, text: '' };
      elements.push(element);
      if (selfEnd === '') open.push(element);
    }
  }
  if (open.length > 0) throw new Error('an element does not end');
  return elements;
}

function withoutEntities(text: string): string {
  return text.replace(/&[a-z]+;/g, (entity) => {
    const character = ENTITIES.get(entity);
    if (character === undefined) throw new Error(`no entity of XML: ${entity}`);
    return character;
  });
}

/**
 * Returns the fields of each node's record in a DOT document. Reads only the forms of lines that
 * the product writes; source: graphviz.org, "The DOT Language", "Record-based Nodes".
 */
export function readDotRecords(text: string): string[][] {
  const statement =
    /(digraph types \{\n)|( {2}(?:rankdir|node|edge)[^\n]*;\n)|( {2}n\d+ \[label="((?:[^"\\]|\\.)*)"\];\n)|( {2}n\d+:\w+ -> n\d+:h \[label="(?:[^"\\]|\\.)*"(?:, style=dashed)?\];\n)|(\}\n)/suy;
  const records: string[][] = [];
  while (statement.lastIndex < text.length) {
    const from = statement.lastIndex;
    const found = statement.exec(text);
    if (found === null) throw new Error(`no statement of DOT: ${text.slice(from, from + 80)}`);
    const label = found[4];
    if (label !== undefined) records.push(fieldsOf(label));
  }
  return records;
}

/** Returns the texts in a label of the form `{<port> text|…}`. */
function fieldsOf(label: string): string[] {
  const inner = /^\{(.*)\}$/su.exec(label)?.[1];
  if (inner === undefined) throw new Error(`no record: ${label}`);
  const fields = inner.match(/(?:[^\\|]|\\.)+/gsu) ?? [];
  return fields.map((field) => {
    const text = /^<\w+> ((?:[^\\{}|<>"]|\\.)*)$/su.exec(field)?.[1];
    if (text === undefined) throw new Error(`no field of a record: ${field}`);
    // Graphviz resolves HTML entities in labels, and leaves a bare & unchanged.
    return text.replace(/\\(.)/gsu, '$1').replace(/&(#?\w+);/g, (entity, name) => {
      if (name !== 'amp') throw new Error(`an entity out of a name: ${entity}`);
      return '&';
    });
  });
}

export type MarkdownText = {
  /** Text that a Markdown reader shows as prose. */
  readonly prose: string;
  /** Contents of each code span. */
  readonly code: readonly string[];
};

/** Returns prose and code of a Markdown line; throws for any other element, such as a link. */
export function readMarkdownLine(line: string): MarkdownText {
  const prose: string[] = [];
  const code: string[] = [];
  for (const block of fromMarkdown(line).children) {
    if (block.type !== 'paragraph' && block.type !== 'heading') throw new Error(block.type);
    for (const node of block.children) {
      if (node.type === 'inlineCode') code.push(node.value);
      else if (node.type === 'text') prose.push(node.value);
      else throw new Error(`${node.type} in ${line}`);
    }
  }
  return { prose: prose.join(''), code };
}

/** Returns the cells of a row of a GFM table; throws for `\|`, which readers treat differently. */
export function readTableRow(line: string): string[] {
  if (line.includes('\\|')) throw new Error('a bar behind a backslash');
  const inner = /^\| (.*) \|$/u.exec(line)?.[1];
  if (inner === undefined) throw new Error(`no row: ${line}`);
  return inner.split(' | ');
}
