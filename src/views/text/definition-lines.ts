/**
 * Definitions in the text of a header or of pahole: the type at a line, and the lines of a type.
 *
 * The text has names but no ids, and several types can share a name: in a header the second is
 * `name___2`. So each definition is compared with the printed text of every type of that name,
 * ignoring these numbers.
 */
import { tagKeyword } from '#analysis/types/declarator.ts';
import { isWide } from '#analysis/types/wide-types.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { type PaholeOptions, paholeOf } from '#print/pahole/pahole.ts';
import { type Block, lineRange, linesText, lineText, type WholeText } from './whole-text.ts';

export type TypeBlock = { readonly type: TypeId; readonly block: Block };

/** Format and options with which the text was printed. */
type Definitions = PaholeOptions & { readonly format: 'c' | 'pahole' };

const TAB = 0x09;
const HASH = 0x23;
const SLASH = 0x2f;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Maximum number of lines of a definition that are compared. */
const COMPARED_LINES = 2000;

const KINDS: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  ['struct', new Set<number>([BtfKind.STRUCT, BtfKind.FWD])],
  ['union', new Set<number>([BtfKind.UNION, BtfKind.FWD])],
  ['enum', new Set<number>([BtfKind.ENUM, BtfKind.ENUM64])],
  ['typedef', new Set<number>([BtfKind.TYPEDEF])],
]);

/** Returns the lines of the definition that contains the line; null between definitions. */
function blockAt(text: WholeText, line: number): Block | null {
  let first = line;
  while (first > 0 && !isHead(text, first)) first--;
  if (!isHead(text, first)) return null;
  const end = endOf(text, first);
  return line < end ? { first, end } : null;
}

/** Returns true if a definition or declaration begins at the line. */
function isHead(text: WholeText, line: number): boolean {
  const { start, end } = lineRange(text, line);
  const byte = text.bytes[start] ?? 0;
  return start < end && byte !== TAB && byte !== CLOSE && byte !== HASH && byte !== SLASH;
}

function endOf(text: WholeText, first: number): number {
  const { lineStarts, bytes } = text;
  if (bytes[lineRange(text, first).end - 1] !== OPEN) return first + 1;
  for (let line = first + 1; line < lineStarts.length; line++) {
    if (bytes[lineStarts[line] ?? 0] === CLOSE) return line + 1;
    if (isHead(text, line)) return line;
  }
  return lineStarts.length;
}

/** Returns the type that the lines around `line` define; null if there is no definition. */
export function definitionAt(
  text: WholeText,
  definitions: Definitions,
  types: TypeTable,
  line: number,
): TypeBlock | null {
  const block = blockAt(text, line);
  if (block === null) return null;
  const candidates = candidatesFor(types, namesIn(text, block));
  const [only] = candidates;
  if (only === undefined) return null;
  if (candidates.length === 1) return { type: only, block };
  const written = comparable(text, block);
  const same = candidates.filter((id) => declared(types, definitions, id) === written);
  if (same.length < 2) return { type: same[0] ?? only, block };
  // If several definitions are equal, assign them to the types in order.
  const earlier = headsLike(text, written).filter(
    (head) => head.first < block.first && comparable(text, head) === written,
  );
  return { type: same[earlier.length] ?? only, block };
}

/** Returns the lines that define the type `id`; null if the text has no such lines. */
export function linesOfDefinition(
  text: WholeText,
  definitions: Definitions,
  types: TypeTable,
  id: TypeId,
): Block | null {
  if (!isDefined(types, definitions, id)) return null;
  if (isWide(types, id)) return headOfWide(text, types, id);
  const written = declared(types, definitions, id);
  const heads = headsLike(text, written);
  const [head = ''] = written.split('\n', 1);
  const name = nameOf(types, id);
  // Many types share a first line without a name, and they can also be printed inside others.
  const isNamed = name !== '' && head.includes(withoutNumbers(name));
  if (isNamed && heads.length < 2) return heads[0] ?? null;
  const same = heads.filter((block) => comparable(text, block) === written);
  if (same.length < 2) return same[0] ?? (isNamed ? (heads[0] ?? null) : null);
  const [first] = same;
  if (first === undefined) return null;
  const alike = candidatesFor(types, namesIn(text, first)).filter(
    (other) => other <= id && declared(types, definitions, other) === written,
  );
  return same[Math.max(0, alike.length - 1)] ?? first;
}

/** Finds the first definition by its name only, for a type that takes too long to print. */
function headOfWide(text: WholeText, types: TypeTable, id: TypeId): Block | null {
  const keyword = tagKeyword(types, id);
  const name = withoutNumbers(nameOf(types, id));
  return keyword === '' ? null : (headsLike(text, `${keyword} ${name} {`)[0] ?? null);
}

function isDefined(types: TypeTable, { format }: Definitions, id: TypeId): boolean {
  const kind = kindOf(types, id);
  const isComposite = kind === BtfKind.STRUCT || kind === BtfKind.UNION;
  if (isComposite || kind === BtfKind.FWD) return nameOf(types, id) !== '';
  if (format === 'pahole') return false;
  return kind === BtfKind.ENUM || kind === BtfKind.ENUM64 || kind === BtfKind.TYPEDEF;
}

type Names = { readonly keyword: string; readonly names: ReadonlySet<string> };

/** Returns the possible names of a definition: for a typedef every word, as any can be the name. */
function namesIn(text: WholeText, { first, end }: Block): Names {
  const head = lineText(text, first);
  const [keyword = ''] = head.split(' ', 1);
  if (keyword === 'typedef') {
    const words = `${head} ${lineText(text, end - 1)}`.match(/\w+/g) ?? [];
    return { keyword, names: new Set(words.flatMap(bothNames)) };
  }
  const name = head.slice(keyword.length + 1).replace(/(?: ?\{.*|;)$/, '');
  return { keyword, names: new Set(bothNames(name)) };
}

/** Returns the name as printed, and the name without its number (`___2`). */
function bothNames(name: string): string[] {
  const plain = withoutNumbers(name);
  return plain === name ? [name] : [name, plain];
}

/** Returns the types with one of the names. Definitions come before declarations. */
function candidatesFor(types: TypeTable, { keyword, names }: Names): TypeId[] {
  const kinds = KINDS.get(keyword);
  if (kinds === undefined) return [];
  const defined: TypeId[] = [];
  const declaredOnly: TypeId[] = [];
  for (let at = 1; at <= lastId(types); at++) {
    const id = typeId(at);
    const kind = kindOf(types, id);
    if (!kinds.has(kind) || !names.has(nameOf(types, id))) continue;
    if (kind === BtfKind.FWD) declaredOnly.push(id);
    else defined.push(id);
  }
  return [...defined, ...declaredOnly];
}

/** Returns the definitions whose first line equals the first line of `written`. */
function headsLike(text: WholeText, written: string): Block[] {
  const [head = ''] = written.split('\n', 1);
  if (head === '') return [];
  // Compare the part before the number as bytes, then the rest as text.
  const start = new TextEncoder().encode(head.replace(/(?<=^typedef ).*| ?\{.*$|;$/, ''));
  const blocks: Block[] = [];
  const { bytes, lineStarts } = text;
  for (let line = 0; line < lineStarts.length; line++) {
    const at = lineStarts[line] ?? 0;
    let same = 0;
    while (same < start.length && bytes[at + same] === start[same]) same++;
    if (same < start.length || withoutNumbers(lineText(text, line)) !== head) continue;
    blocks.push({ first: line, end: endOf(text, line) });
  }
  return blocks;
}

function comparable(text: WholeText, { first, end }: Block): string {
  return withoutNumbers(linesText(text, first, Math.min(end, first + COMPARED_LINES)));
}

/** Returns the printed text of the type `id`, cut to the maximum number of compared lines. */
function declared(types: TypeTable, definitions: Definitions, id: TypeId): string {
  const isC = definitions.format === 'c';
  const whole = isC ? cDeclaration(types, id) : paholeOf(types, id, definitions);
  return withoutNumbers(whole.trimEnd().split('\n', COMPARED_LINES).join('\n'));
}

function withoutNumbers(code: string): string {
  return code.replace(/___\d+\b/g, '');
}
