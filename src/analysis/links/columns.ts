/**
 * Stores numbers and names of a link in columns: adjacent values are similar, so that the deflated
 * link is short. Whole numbers are varints of seven bits per byte, low bits first. Signed numbers
 * 0, -1, 1, -2 … become 0, 1, 2, 3 … Names end in NUL; frequent names are one byte.
 */
import { concatBytes } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';

/** Names of the columns in the order in which they are stored. */
export const COLUMNS = ['kinds', 'counts', 'refs', 'sizes', 'offsets', 'values', 'names'] as const;
export type Column = (typeof COLUMNS)[number];

/** Writes or reads values: a writer returns the argument, a reader ignores it. */
export type Coder = {
  /** Codes a whole number from 0 to 2^53. */
  number(column: Column, value: number): number;
  /** Codes a whole number between -2^52 and 2^52. */
  signed(column: Column, value: number): number;
  /** Codes a whole number of up to 64 bits and a sign. */
  big(column: Column, value: bigint): bigint;
  /** Codes an index into the names. */
  name(index: number): number;
};

const fold = (value: bigint): bigint => (value < 0n ? -2n * value - 1n : 2n * value);
const unfold = (value: bigint): bigint => (value % 2n === 0n ? value / 2n : -(value + 1n) / 2n);

export class ColumnWriter implements Coder {
  readonly #columns = new Map<Column, number[]>(COLUMNS.map((column) => [column, []]));
  readonly #names: readonly Uint8Array[];

  /** `names` are the names that `name` refers to, without NUL. */
  constructor(names: readonly Uint8Array[]) {
    this.#names = names;
  }

  number(column: Column, value: number): number {
    const bytes = this.#of(column);
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
    bytes.push(left);
    return value;
  }

  signed(column: Column, value: number): number {
    this.number(column, value < 0 ? -2 * value - 1 : 2 * value);
    return value;
  }

  big(column: Column, value: bigint): bigint {
    const bytes = this.#of(column);
    let left = fold(value);
    for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) + 0x80);
    bytes.push(Number(left));
    return value;
  }

  name(index: number): number {
    const bytes = this.#of('names');
    const name = this.#names[index];
    if (name !== undefined) for (const byte of shortened(name)) bytes.push(byte);
    bytes.push(0);
    return index;
  }

  /** Returns the bytes of all columns, preceded by their lengths. */
  finish(): Uint8Array<ArrayBuffer> {
    const lengths = new ColumnWriter([]);
    for (const column of COLUMNS) lengths.number('counts', this.#of(column).length);
    return concatBytes([
      Uint8Array.from(lengths.#of('counts')),
      ...COLUMNS.map((column) => Uint8Array.from(this.#of(column))),
    ]);
  }

  #of(column: Column): number[] {
    const bytes = this.#columns.get(column);
    if (bytes === undefined) throw new Error(`there is no column ${column}`);
    return bytes;
  }
}

type Cursor = { at: number; readonly end: number };

/** Maximum bytes of a varint: ten bytes hold 64 bits and the sign. */
const MAX_VARINT = 10n;

export class ColumnReader implements Coder {
  /** Names that were read; `names[0]` is the empty name. */
  readonly names: Uint8Array[] = [new Uint8Array(0)];
  readonly #bytes: Uint8Array;
  readonly #cursors: ReadonlyMap<Column, Cursor>;

  /**
   * Reads the column lengths. Throws `Malformed` if the columns do not fill `bytes` from `start`.
   */
  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    const head: Cursor = { at: start, end: bytes.length };
    const lengths = COLUMNS.map(() => this.#number(head));
    const cursors = new Map<Column, Cursor>();
    let at = head.at;
    for (const [i, column] of COLUMNS.entries()) {
      const end = at + (lengths[i] ?? 0);
      if (end > bytes.length) throw broken();
      cursors.set(column, { at, end });
      at = end;
    }
    if (at !== bytes.length) throw broken();
    this.#cursors = cursors;
  }

  number(column: Column, _value = 0): number {
    return this.#number(this.#of(column));
  }

  signed(column: Column, _value = 0): number {
    const folded = this.number(column);
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  big(column: Column, _value = 0n): bigint {
    return unfold(this.#varint(this.#of(column)));
  }

  name(_index = 0): number {
    const cursor = this.#of('names');
    const end = this.#bytes.indexOf(0, cursor.at);
    if (end < 0 || end >= cursor.end) throw broken();
    const name = lengthened(this.#bytes.subarray(cursor.at, end));
    cursor.at = end + 1;
    if (name === null) throw broken();
    if (name.length === 0) return 0;
    return this.names.push(name) - 1;
  }

  /** Returns the number of unread bytes of a column. */
  left(column: Column): number {
    const { at, end } = this.#of(column);
    return end - at;
  }

  #number(cursor: Cursor): number {
    let value = 0;
    for (let unit = 1; unit <= Number.MAX_SAFE_INTEGER; unit *= 0x80) {
      const byte = this.#byte(cursor);
      value += (byte & 0x7f) * unit;
      if (value > Number.MAX_SAFE_INTEGER) throw broken();
      if (byte < 0x80) return value;
    }
    throw broken();
  }

  #byte(cursor: Cursor): number {
    const byte = cursor.at < cursor.end ? this.#bytes[cursor.at++] : undefined;
    if (byte === undefined) throw broken();
    return byte;
  }

  #varint(cursor: Cursor): bigint {
    let value = 0n;
    for (let i = 0n; i < MAX_VARINT; i += 1n) {
      const byte = this.#byte(cursor);
      value |= BigInt(byte & 0x7f) << (7n * i);
      if (byte < 0x80) return value;
    }
    throw broken();
  }

  #of(column: Column): Cursor {
    const cursor = this.#cursors.get(column);
    if (cursor === undefined) throw new Error(`there is no column ${column}`);
    return cursor;
  }
}

/** Returns the error for bytes that cannot be from a link. */
export function broken(): Malformed {
  return new Malformed({
    code: 'link.malformed',
    region: 'link',
    message: 'The data of this link cannot be read: the link was cut or changed',
    span: null,
    advice: 'Copy the whole link again; some programs cut long ones.',
  });
}

/** Frequent names, each stored as one byte. Version 1 of the format fixes their order. */
const WORDS = [
  'int',
  'unsigned int',
  'long int',
  'long unsigned int',
  'long long int',
  'long long unsigned int',
  'short int',
  'short unsigned int',
  'char',
  'unsigned char',
  'signed char',
  '_Bool',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  'short',
  'unsigned short',
  '__ARRAY_SIZE_TYPE__',
  'list_head',
  'hlist_node',
  'callback_head',
  'raw_spinlock',
  'raw_spinlock_t',
  'spinlock_t',
  'spinlock',
  'atomic64_t',
  'atomic_t',
  'counter',
  'refcount_t',
] as const;

/** Byte before a name that begins with this byte or with the code of a frequent name (1 to 30). */
const ESCAPE = 0x1f;

const utf8 = new TextEncoder();
const BYTES = WORDS.map((word) => utf8.encode(word));
const latin1 = new TextDecoder('latin1');
const CODES: ReadonlyMap<string, number> = new Map(WORDS.map((word, i) => [word, i + 1]));

/** Returns a name in the form in which a link stores it, without NUL. */
function shortened(name: Uint8Array): Uint8Array {
  const code = name.length < 24 ? CODES.get(latin1.decode(name)) : undefined;
  if (code !== undefined) return Uint8Array.of(code);
  const [first = ESCAPE + 1] = name;
  return first <= ESCAPE ? concatBytes([Uint8Array.of(ESCAPE), name]) : name;
}

/** Returns the name for its stored form; null for bytes that `shortened` never returns. */
function lengthened(stored: Uint8Array): Uint8Array | null {
  const [first = ESCAPE + 1] = stored;
  if (first > ESCAPE) return stored;
  if (first === ESCAPE) return stored.subarray(1);
  return stored.length === 1 ? (BYTES[first - 1] ?? null) : null;
}
