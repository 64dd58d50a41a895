/** A C struct as a table of its fields. Readers and views use the table. */
import type { ByteReader } from './byte-reader.ts';
import { type Span, spanOf } from './span.ts';

/** Type of a field: `x…` is shown in hexadecimal, `word` is an address, `char…` is not a number. */
type Width =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'i32'
  | 'u64'
  | 'x16'
  | 'x32'
  | 'x64'
  | 'word'
  | `char${4 | 8 | 16}`;

/** Type of a field, and its meaning if all files share the meaning. */
type FieldSpec = Width | `${Width} ${string}`;

type FieldSpecs = Readonly<Record<string, FieldSpec>>;

/** Values of a struct, with the keys of its table of fields. */
type CValues<Fields> = {
  readonly [Key in keyof Fields as Fields[Key] extends `char${string}`
    ? never
    : Key]: Fields[Key] extends `${'u64' | 'x64' | 'word'}${string}` ? bigint : number;
};

type CField<Key extends string = string> = {
  readonly key: Key;
  /** Name of the field in the C header. */
  readonly name: string;
  /** Offset of the field in bytes from the start of the struct. */
  readonly offset: number;
  readonly size: number;
  readonly isHex: boolean;
  readonly isSigned: boolean;
  /** True if the value is a bigint, also in 32-bit files. */
  readonly isWord: boolean;
  readonly isNumber: boolean;
  readonly meaning: string;
};

export type CStruct<Fields extends FieldSpecs> = {
  readonly fields: readonly CField<keyof Fields & string>[];
  /** Size of the struct in bytes. */
  readonly size: number;
  /** Reads the struct at `offset` of `reader`. Throws `Malformed` if it does not fit. */
  readonly read: (reader: ByteReader, offset?: number) => CValues<Fields>;
};

/** Type of the result of `CStruct.read`. */
export type ValuesOf<S> = S extends CStruct<infer Fields> ? CValues<Fields> : never;

const snakeCase = (key: string) => key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Returns the struct with the fields `specs`, in order. `nameOf` converts a key to a C name. */
export function cStruct<const Fields extends FieldSpecs>(
  specs: Fields,
  nameOf: (key: string) => string = snakeCase,
  wordBits: 32 | 64 = 64,
): CStruct<Fields> {
  let size = 0;
  const fields = Object.entries(specs).map(([key, spec]): CField<keyof Fields & string> => {
    const [, sort = '', digits = '', meaning = ''] = /^([a-z]+)(\d*) ?(.*)$/.exec(spec) ?? [];
    const isNumber = sort !== 'char';
    const isWord = sort === 'word';
    const offset = size;
    const bytes = Number(isWord ? wordBits : digits) / (isNumber ? 8 : 1);
    size += bytes;
    const notation = { isHex: sort === 'x', isSigned: sort === 'i', isWord, isNumber };
    return { key, name: nameOf(key), offset, size: bytes, ...notation, meaning };
  });
  const numbers = fields.filter(({ isNumber }) => isNumber);
  const read = (reader: ByteReader, start = 0) => {
    const values: Record<string, number | bigint> = {};
    for (const field of numbers) values[field.key] = readField(reader, start + field.offset, field);
    return values as CValues<Fields>;
  };
  return { fields, size, read };
}

function readField(reader: ByteReader, at: number, field: CField): number | bigint {
  switch (field.size) {
    case 8:
      return reader.u64(at);
    case 2:
      return reader.u16(at);
    case 1:
      return reader.u8(at);
  }
  if (field.isWord) return BigInt(reader.u32(at));
  return field.isSigned ? reader.i32(at) : reader.u32(at);
}

/** Returns the 32-bit and the 64-bit variant of a struct. The keys are the ELF classes. */
export function inBothClasses<const Fields extends FieldSpecs>(
  specs: Fields,
): Readonly<Record<32 | 64, CStruct<Fields>>> {
  return { 32: cStruct(specs, snakeCase, 32), 64: cStruct(specs, snakeCase, 64) };
}

/** Returns the span of the field with the C name `name`, relative to the start of the struct. */
export function fieldSpan({ fields }: Pick<CStruct<never>, 'fields'>, name: string): Span {
  const field = fields.find((each) => each.name === name);
  return spanOf(field?.offset ?? 0, field?.size ?? 0);
}

/** C name of a field, converted from its key. */
export type CName<Key extends string> = Key extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${CName<Rest>}`
  : Key;

type ShownField = {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
  readonly span: Span;
};

/** Returns the fields of the struct at `fileOffset`. `meanings` replace those of the table. */
export function shownFields<Fields extends FieldSpecs>(
  { fields }: CStruct<Fields>,
  fileOffset: number,
  values: Readonly<Partial<Record<keyof Fields, number | bigint | string>>>,
  meanings?: Readonly<Partial<Record<keyof Fields, string>>>,
): readonly ShownField[] {
  return fields.map(({ key, name, offset, size, isHex, meaning }) => {
    const value = values[key] ?? '';
    const text = isHex ? `0x${value.toString(16)}` : `${value}`;
    const span = spanOf(fileOffset + offset, size);
    return { name, value: text, meaning: meanings?.[key] ?? meaning, span };
  });
}

export type CColumns<Fields> = {
  readonly [Key in keyof CValues<Fields>]: CValues<Fields>[Key] extends bigint
    ? BigUint64Array
    : Key extends keyof Fields
      ? Fields[Key] extends `i32${string}`
        ? Int32Array
        : Uint32Array
      : never;
};

/** Type of the result of `readColumns`. */
export type ColumnsOf<S> = S extends CStruct<infer Fields> ? CColumns<Fields> : never;

/** Reads `count` structs into one array per field. Throws `Malformed` if `reader` is too short. */
export function readColumns<Fields extends FieldSpecs>(
  { fields, size }: CStruct<Fields>,
  reader: ByteReader,
  count: number,
): CColumns<Fields> {
  const columns = fields.map((field) => {
    const { key, offset } = field;
    if (field.size === 8) {
      return [key, BigUint64Array.from({ length: count }, (_, i) => reader.u64(i * size + offset))];
    }
    const column = field.isSigned ? new Int32Array(count) : new Uint32Array(count);
    for (let i = 0; i < count; i++) column[i] = Number(readField(reader, i * size + offset, field));
    return [key, column];
  });
  return Object.fromEntries(columns) as CColumns<Fields>;
}
