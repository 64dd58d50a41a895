/**
 * Small strict readers for exported texts. Tests use them to check that a hostile name stays a
 * name. They throw for texts that the usual program for the format would reject.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';

/** Returns the cells of each row of CSV. RFC 4180; every line must end in CRLF. */
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

/** Matches characters that XML 1.0 forbids (section 2.2, Char): a browser stops at them. */
const NO_CHAR = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/**
 * Returns all XML elements in order, each with its own text. Throws for comments, CDATA and DTDs.
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
 * Returns the fields of each record in a DOT document. Reads only forms that the product writes.
 * Source: graphviz.org, "The DOT Language", "Record-based Nodes".
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

/** Returns the texts in a record label of the form `{<port> text|…}`. */
function fieldsOf(label: string): string[] {
  const inner = /^\{(.*)\}$/su.exec(label)?.[1];
  if (inner === undefined) throw new Error(`no record: ${label}`);
  const fields = inner.match(/(?:[^\\|]|\\.)+/gsu) ?? [];
  return fields.map((field) => {
    const text = /^<\w+> ((?:[^\\{}|<>"]|\\.)*)$/su.exec(field)?.[1];
    if (text === undefined) throw new Error(`no field of a record: ${field}`);
    // Resolves backslashes, then HTML entities; a bare & stays, as in Graphviz.
    return text.replace(/\\(.)/gsu, '$1').replace(/&(#?\w+);/g, (entity, name) => {
      if (name !== 'amp') throw new Error(`an entity out of a name: ${entity}`);
      return '&';
    });
  });
}

export type MarkdownText = {
  /** Text that a reader of the Markdown sees outside of code. */
  readonly prose: string;
  /** Content of each code span. */
  readonly code: readonly string[];
};

/** Returns prose and code of a Markdown line. Throws for other elements, such as links. */
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

/** Returns the cells of a GFM table row. Throws for `\|`, which readers interpret differently. */
export function readTableRow(line: string): string[] {
  if (line.includes('\\|')) throw new Error('a bar behind a backslash');
  const inner = /^\| (.*) \|$/u.exec(line)?.[1];
  if (inner === undefined) throw new Error(`no row: ${line}`);
  return inner.split(' | ');
}
