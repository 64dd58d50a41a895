/**
 * Writes values with BTF as `bpftool map dump` 7.1 does. Text without options is nearly JSON:
 * bit-fields and 128-bit values are bare hex, pointers `(nil)`. Text of `-j` and `-p` is JSON.
 * Errors of bpftool are corrected: floats are numbers, missing bytes and void are null, backslashes
 * stay. In JSON, members of anonymous structs are members of their parent, as in C: bpftool names each
 * anonymous struct `""`, and readers of JSON keep only the last of equal names. Source: "BTF Type Format", section 5.1 (bpftool map pretty print).
 */
import { decodeValue, partAt, type Value } from '#analysis/values/decode.ts';
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import {
  arrayData,
  intData,
  isModifier,
  kindOf,
  nameOf,
  refOf,
  type TypeTable,
} from '#model/type-table.ts';
import { targetText } from './value-text.ts';

/**
 * Writes JSON like bpftool: four spaces per level, each name on a new line, array elements on one
 * line. A closing bracket is on a new line unless the value is empty.
 */
export class JsonWriter {
  readonly #sink: (text: string) => void;
  readonly #isPretty: boolean;
  #depth = 0;
  #length = 0;
  /** Text before the next value: empty, or a comma. */
  #separator = '';

  /** `isPretty` is true for several lines, as with `bpftool -p` and in the dump without options. */
  constructor(write: (text: string) => void, isPretty: boolean) {
    this.#sink = write;
    this.#isPretty = isPretty;
  }

  /** Number of characters written. */
  get length(): number {
    return this.#length;
  }

  open(bracket: '{' | '['): void {
    this.raw(bracket);
    this.#depth++;
    this.#separator = '';
  }

  close(bracket: '}' | ']'): void {
    this.#depth--;
    if (this.#separator !== '') this.#newline();
    this.#write(bracket);
    this.#separator = ',';
  }

  name(text: string): void {
    this.#write(this.#separator);
    this.#newline();
    this.#write(`${JSON.stringify(text)}:${this.#isPretty ? ' ' : ''}`);
    this.#separator = '';
  }

  /** Writes the name and the JSON of a value. */
  field(name: string, value: unknown): void {
    this.name(name);
    this.raw(JSON.stringify(value));
  }

  /** Writes a text that is JSON already. */
  raw(text: string): void {
    this.#write(`${this.#separator}${text}`);
    this.#separator = ',';
  }

  string(text: string): void {
    this.raw(JSON.stringify(text));
  }

  #newline(): void {
    if (this.#isPretty) this.#write(`\n${'    '.repeat(this.#depth)}`);
  }

  #write(text: string): void {
    this.#length += text.length;
    this.#sink(text);
  }
}

export type ValueForm = {
  /** True for the dump without options, false for the JSON of `-j` and `-p`. */
  readonly isPlain: boolean;
  /** True: relocated pointers are printed as their targets, in C. Default: as numbers. */
  readonly isResolved?: boolean;
  /** Limit of printed values; `"…"` replaces the rest. */
  readonly limit?: number;
};

const MAX_VALUES = 1 << 20;
/** Limit of parts of a value, in addition to one per bit: parts may have no bytes. */
const EMPTY_PARTS = 1 << 16;
/** Limit in characters, after which no value begins: a union may repeat a long string. */
const MAX_LENGTH = 1 << 25;
/** Limit of nested values. No compiler nests types deeper; each level indents by four spaces. */
const MAX_DEPTH = 500;

/** Returns a value as JSON, in several lines as in a dump of one entry. */
export function valueJson(value: Value, form: ValueForm, isPretty = true): string {
  const pieces: string[] = [];
  writeValue(new JsonWriter((text) => pieces.push(text), isPretty), value, form);
  return pieces.join('');
}

type Frame = { readonly value: Value; readonly close: readonly ('}' | ']')[]; next: number };

/** Writes `value` and all its parts. */
export function writeValue(out: JsonWriter, value: Value, form: ValueForm): void {
  let left = form.limit ?? Math.min(MAX_VALUES, EMPTY_PARTS + 8 * value.scope.byteLength);
  const most = out.length + MAX_LENGTH;
  const stack: Frame[] = [];
  const begin = (at: Value) => {
    left = out.length > most ? 0 : left - 1;
    const frame = opened(out, at, form, stack.length < MAX_DEPTH);
    if (frame !== null) stack.push(frame);
  };
  begin(value);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const part = left > 0 ? partAt(frame.value, frame.next) : null;
    if (part === null) {
      if (left <= 0 && frame.next < frame.value.partCount) cut(out, frame);
      for (const bracket of frame.close) out.close(bracket);
      stack.pop();
      continue;
    }
    frame.next++;
    if (!form.isPlain && isAnonymous(frame.value, part) && stack.length < MAX_DEPTH) {
      left--;
      stack.push({ value: part, close: [], next: 0 });
      continue;
    }
    partName(out, frame.value, part);
    begin(part);
    if (frame.value.content.kind === 'section') closeItem(out, stack, frame);
  }
}

/** Returns true for an anonymous struct or union, whose members are members of its parent in C. */
function isAnonymous(parent: Value, { name, content: { kind } }: Value): boolean {
  const isIn = parent.content.kind === 'struct' || parent.content.kind === 'union';
  return isIn && name === '' && (kind === 'struct' || kind === 'union');
}

/** Closes the object around a variable of a section; at once if the variable has no parts. */
function closeItem(out: JsonWriter, stack: Frame[], parent: Frame): void {
  const top = stack.at(-1);
  if (top === parent || top === undefined) out.close('}');
  else stack.splice(-1, 1, { ...top, close: [...top.close, '}'] });
}

function partName(out: JsonWriter, { content }: Value, part: Value): void {
  if (content.kind === 'section') out.open('{');
  if (content.kind === 'section' || content.kind === 'struct' || content.kind === 'union') {
    out.name(part.name);
  }
}

function cut(out: JsonWriter, { value }: Frame): void {
  const { kind } = value.content;
  if (kind === 'struct' || kind === 'union') out.name('…');
  out.string('…');
}

/** Writes a value without parts, or begins a value with parts. */
function opened(out: JsonWriter, value: Value, form: ValueForm, mayGoOn: boolean): Frame | null {
  const { content } = value;
  switch (content.kind) {
    case 'struct':
    case 'union':
    case 'array':
    case 'string': {
      const text = content.kind === 'string' ? bpftoolString(value) : null;
      if (text !== null || !mayGoOn) {
        out.string(text ?? '…');
        return null;
      }
      const isList = content.kind === 'array' || content.kind === 'string';
      out.open(isList ? '[' : '{');
      return { value, close: [isList ? ']' : '}'], next: 0 };
    }
    case 'section':
      out.open('{');
      out.name(nameOf(value.scope.types, value.bare));
      out.open('[');
      return { value, close: [']', '}'], next: 0 };
    default:
      out.raw(scalarText(value, form));
      return null;
  }
}

/** Returns an array of `char` (not of a typedef) as a string up to NUL; null for other types. */
function bpftoolString({ scope, bare, bitOffset, partCount }: Value): string | null {
  const t = scope.types;
  let elem: TypeId | null = arrayData(t, bare).elemType;
  for (let steps = 0; elem !== null && isQualifier(kindOf(t, elem)); steps++) {
    elem = steps < 32 ? refOf(t, elem) : null;
  }
  if (elem === null || kindOf(t, elem) !== BtfKind.INT) return null;
  const start = bitOffset / 8;
  const end = start + partCount;
  const nul = scope.bytes.subarray(0, end).indexOf(0, start);
  // Bytes that are not in the file, as in `.bss`, are zeros: they end a string, too.
  const stop = nul >= 0 ? nul : Math.max(start, Math.min(end, scope.bytes.length));
  if (stop >= Math.min(end, scope.byteLength)) return null;
  const bytes = scope.bytes.subarray(start, stop);
  return bytes.every((byte) => byte > 0x1f && byte < 0x7f) ? decodeText(bytes) : null;
}

function isQualifier(kind: number): boolean {
  return isModifier(kind) && kind !== BtfKind.TYPEDEF;
}

function scalarText(value: Value, form: ValueForm): string {
  const { content, bitSize, isBitfield } = value;
  switch (content.kind) {
    case 'int':
    case 'char':
    case 'bool': {
      if (isBitfield || !WHOLE.has(bitSize)) return hex(content.value, bitSize, form);
      if (content.kind === 'bool') return content.value === 0n ? 'false' : 'true';
      // GCC encodes `char` as SIGNED and CHAR. bpftool rejects this; here it is a number.
      return intData(value.scope.types, value.bare).encoding === IntEncoding.CHAR
        ? charText(content.value, form)
        : `${content.value}`;
    }
    case 'enum': {
      if (isBitfield) return hex(content.value, bitSize, form);
      const [name, ...more] = content.names;
      if (name !== undefined && more.length === 0) return JSON.stringify(name);
      // bpftool prints an enum value without a name as signed, even in an unsigned enum.
      return `${BigInt.asIntN(bitSize, content.value)}`;
    }
    case 'pointer':
      if (form.isResolved === true && content.target !== null) {
        return JSON.stringify(targetText(content.target));
      }
      if (!form.isPlain) return `${content.value}`;
      return content.value === 0n ? '(nil)' : `0x${content.value.toString(16)}`;
    case 'float':
      if (content.number !== null && Number.isFinite(content.number))
        return Object.is(content.number, -0) ? '-0.0' : `${content.number}`;
      return content.number === null ? hex(content.value, bitSize, form) : `"${content.number}"`;
    default:
      return 'null';
  }
}

const WHOLE: ReadonlySet<number> = new Set([8, 16, 32, 64]);

function charText(value: bigint, { isPlain }: ValueForm): string {
  const byte = Number(BigInt.asUintN(8, value));
  if (byte >= 0x20 && byte < 0x7f) return JSON.stringify(String.fromCharCode(byte));
  const digits = byte.toString(16);
  return isPlain ? `0x${digits}` : `"\\u00${digits.padStart(2, '0')}"`;
}

function hex(value: bigint, bitSize: number, { isPlain }: ValueForm): string {
  const text = `0x${BigInt.asUintN(bitSize, value).toString(16)}`;
  return isPlain ? text : `"${text}"`;
}

/**
 * The types of a map whose entries are written as `bpftool map dump` 7.1 does. JSON has the bytes,
 * and the decoded values in `formatted`.
 */

export type MapTypes = {
  readonly types: TypeTable;
  /** Type of the keys; null omits the keys, as bpftool does for maps of variables. */
  readonly key: TypeId | null;
  readonly value: TypeId;
  readonly endian?: Endian;
};

/** Writes entries like bpftool: `plain` = without options, `json` with `-j`, `pretty` with `-p`. */
export function writeMapDump(
  write: (text: string) => void,
  entries: readonly DumpEntry[],
  map: MapTypes,
  form: 'plain' | 'json' | 'pretty',
): void {
  const out = new JsonWriter(write, form !== 'json');
  out.open('[');
  for (const entry of entries) {
    out.open('{');
    if (form !== 'plain') {
      out.name('key');
      rawBytes(out, entry.key);
      eachValue(out, entry, (bytes) => rawBytes(out, bytes));
      out.name('formatted');
      out.open('{');
    }
    formatted(out, entry, map, form === 'plain');
    if (form !== 'plain') out.close('}');
    out.close('}');
  }
  out.close(']');
  write('\n');
}

function formatted(out: JsonWriter, entry: DumpEntry, map: MapTypes, isPlain: boolean): void {
  const typed = (id: TypeId, bytes: Uint8Array) =>
    writeValue(
      out,
      decodeValue(map.types, id, bytes, 0, { endian: map.endian ?? map.types.endian }),
      { isPlain },
    );
  if (map.key !== null && kindOf(map.types, map.value) !== BtfKind.DATASEC) {
    out.name('key');
    typed(map.key, entry.key);
  }
  eachValue(out, entry, (bytes) => typed(map.value, bytes));
}

function eachValue(
  out: JsonWriter,
  { values }: DumpEntry,
  each: (bytes: Uint8Array) => void,
): void {
  const [only] = values;
  const value = (bytes: Uint8Array | null) => {
    out.name('value');
    if (bytes === null) out.raw('null');
    else each(bytes);
  };
  if (only !== undefined && only.cpu === null) {
    value(only.bytes);
    return;
  }
  out.name('values');
  out.open('[');
  for (const { cpu, bytes } of values) {
    out.open('{');
    out.name('cpu');
    out.raw(`${cpu}`);
    value(bytes);
    out.close('}');
  }
  out.close(']');
}

function rawBytes(out: JsonWriter, bytes: Uint8Array): void {
  out.open('[');
  for (const byte of bytes) out.string(`0x${byte.toString(16).padStart(2, '0')}`);
  out.close(']');
}
