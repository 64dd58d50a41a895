/** Texts of values: a line for a row, as `{.a = 1, .b = "x", …}`, or C and JSON to copy. */
import { partAt, type Value } from '#analysis/values/decode.ts';
import { STORAGE_CLASS, type Variable } from '#analysis/values/variables.ts';
import { bitRange, visible, visibleLine } from '#bytes/text.ts';
import { valueJson } from '#print/value-json.ts';
import { declarationText, valueLines, valueWord } from '#print/value-text.ts';
import { hexBytes } from '#ui/hex-marks.ts';

const MAX_PARTS = 8;
const MAX_TEXT = 90;
/** Maximum depth of nested parts in a line; deeper parts are `{…}`. */
const MAX_NESTING = 2;

/** Returns the value in C, shortened to one line. Names are not escaped. */
export function previewText(value: Value): string {
  const text = preview(value, 0);
  if (text.length <= MAX_TEXT) return text;
  // A number without its last digits would be another number: whole parts are left out.
  const end = value.content.kind === 'string' ? -1 : text.lastIndexOf(', ', MAX_TEXT - 2);
  return end < 0 ? `${text.slice(0, MAX_TEXT - 1)}…` : `${text.slice(0, end + 2)}…`;
}

function preview(value: Value, nesting: number): string {
  const { content, partCount } = value;
  const isWhole = partCount === 0 || content.kind === 'string';
  if (isWhole) return isComposite(value) ? '{}' : valueWord(value);
  if (nesting >= MAX_NESTING) return '{…}';
  const parts: string[] = [];
  for (let i = 0, length = 0; i < Math.min(partCount, MAX_PARTS) && length < MAX_TEXT; i++) {
    const part = partAt(value, i);
    if (part === null) break;
    const label = content.kind === 'array' || part.name === '' ? '' : `.${part.name} = `;
    const text = `${label}${preview(part, nesting + 1)}`;
    parts.push(text);
    length += text.length;
  }
  if (parts.length < partCount) parts.push('…');
  return `{${parts.join(', ')}}`;
}

function isComposite({ content: { kind } }: Value): boolean {
  return kind === 'struct' || kind === 'union' || kind === 'array' || kind === 'section';
}

/** Returns a second form of a value, such as a number in hex; empty if there is none. */
export function otherForm({ content, bitSize }: Value): string {
  switch (content.kind) {
    case 'int':
      return content.value > 9n || content.value < 0n
        ? `0x${BigInt.asUintN(bitSize, content.value).toString(16)}`
        : '';
    case 'char':
      return `${content.value}`;
    case 'enum':
      return content.names.length === 0 ? 'no enumerator' : `${content.value}`;
    case 'float':
      return content.value === 0n ? '' : `0x${content.value.toString(16)}`;
    default:
      return '';
  }
}

const MAX_BYTES = 8;

/** Returns the first bytes of the value in hex. Bytes that the file does not store are zeros. */
export function bytesText({ scope, bitOffset, bitSize }: Value): string {
  const start = Math.floor(bitOffset / 8);
  const end = Math.min(scope.byteLength, Math.ceil((bitOffset + bitSize) / 8));
  const count = Math.max(0, Math.min(end - start, MAX_BYTES));
  const shown = hexBytes(Uint8Array.from({ length: count }, (_, i) => scope.bytes[start + i] ?? 0));
  return end > start + MAX_BYTES ? `${shown} …` : shown;
}

/** Returns the bits of a bit-field in its bytes, as `bits 4-7`; empty if it is no bit-field. */
export function bitsText({ bitOffset, bitSize, isBitfield }: Value): string {
  return isBitfield ? bitRange(bitOffset % 8, bitSize) : '';
}

/** Form of a value as text: C definition, JSON, or what bpftool's map dump prints. */
export type ValueForm = 'c' | 'json' | 'plain';

export const FORM_TITLES: Readonly<Record<ValueForm, string>> = {
  c: 'C',
  json: 'JSON',
  plain: 'bpftool',
};

export const FORM_WORDS: Readonly<Record<ValueForm, string>> = {
  c: 'as in C source; values that a relocation fills, by name',
  json: 'as under “formatted” of bpftool map dump -j, over several lines',
  plain: 'as bpftool map dump prints it without options',
};

/** Maximum numbers: elements of an array in C, parts of a value in JSON, lines of C. */
const SHOWN_ELEMENTS = 256;
const SHOWN_PARTS = 4096;
const SHOWN_LINES = 4000;

/** Returns a C declaration, as `static const struct foo *name[4]`. Names are escaped. */
export function declarationOf(
  value: Pick<Value, 'scope' | 'type'>,
  name: string,
  linkage: Variable['linkage'],
): string {
  return visible(
    `${STORAGE_CLASS[linkage]}${declarationText(value.scope.types, value.type, name)}`,
  );
}

/** Returns the value as text with escaped names. In C, `before` is the text before the value. */
export function valueText(value: Value, form: ValueForm, before: string): string {
  if (form !== 'c') return valueJson(value, { isPlain: form === 'plain', limit: SHOWN_PARTS });
  const lines: string[] = [];
  for (const line of valueLines(before, value, { foldZeros: true, maxElements: SHOWN_ELEMENTS })) {
    if (lines.length === SHOWN_LINES) {
      lines.push('/* … more lines omitted */');
      break;
    }
    lines.push(line);
  }
  return shownLines(lines);
}

/** Returns the lines as one text. Tabs stay; other invisible characters are escaped. */
export function shownLines(lines: Iterable<string>): string {
  return Array.from(lines, (line) => visibleLine(line)).join('\n');
}
