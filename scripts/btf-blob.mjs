// Writes BTF blobs for the scripts. Tests in src/ use `src/testing/btf-blob.ts`, which has types.
// Source: Documentation/bpf/btf.rst, section 2.

export const BTF_MAGIC = 0xeb9f;
/** Length in bytes of a header that has no layout section. */
export const HEADER_LENGTH = 24;
/** Length in bytes of a header with `layout_off` and `layout_len` (since 2026). */
export const LONG_HEADER_LENGTH = 32;
/** Size of `struct btf_type` in bytes. */
export const TYPE_LENGTH = 12;

/** Values of BTF_KIND_* by name. */
export const KIND = {
  INT: 1,
  PTR: 2,
  ARRAY: 3,
  STRUCT: 4,
  UNION: 5,
  ENUM: 6,
  FWD: 7,
  TYPEDEF: 8,
  VOLATILE: 9,
  CONST: 10,
  RESTRICT: 11,
  FUNC: 12,
  FUNC_PROTO: 13,
  VAR: 14,
  DATASEC: 15,
  FLOAT: 16,
  DECL_TAG: 17,
  TYPE_TAG: 18,
  ENUM64: 19,
};

/** Bytes of a record after `struct btf_type`, by kind: once per record, and per item. */
export const TAIL_SIZES = Array.from({ length: KIND.ENUM64 + 1 }, () => [0, 0]);
for (const kind of [KIND.INT, KIND.VAR, KIND.DECL_TAG]) TAIL_SIZES[kind] = [4, 0];
TAIL_SIZES[KIND.ARRAY] = [12, 0];
for (const kind of [KIND.ENUM, KIND.FUNC_PROTO]) TAIL_SIZES[kind] = [0, 8];
for (const kind of [KIND.STRUCT, KIND.UNION, KIND.DATASEC, KIND.ENUM64]) TAIL_SIZES[kind] = [0, 12];

/** Returns the length in bytes of the record with this `info` word; vlen has 16 bits. */
export function recordLength(info) {
  const [once, item] = TAIL_SIZES[kindOf(info)] ?? [0, 0];
  return TYPE_LENGTH + once + item * (info & 0xffff);
}

/** Returns the kind in an `info` word. The kind has five bits. */
export const kindOf = (info) => (info >>> 24) & 0x1f;

/** Returns the `info` word of a type. */
export function infoOf(kind, vlen = 0, kindFlag = false) {
  return (kindFlag ? 2 ** 31 : 0) + kind * 2 ** 24 + vlen;
}

/**
 * String section that contains each string once. For split BTF, `base` is the string section of the
 * base, whose strings are not added again, or only its length.
 */
export class BtfStrings {
  #base;
  #start;
  #offsets = new Map();
  #parts = [];
  /** Length of the section in bytes. */
  length = 0;

  constructor(base = 0) {
    this.#base = typeof base === 'number' ? null : base;
    this.#start = typeof base === 'number' ? base : base.length;
    if (this.#start === 0) this.#append('');
  }

  /** Returns the `name_off` of a text or of bytes; adds them if they are new. */
  offset(text) {
    if (text.length === 0) return 0;
    return this.#known(keyOf(text)) ?? this.#append(text);
  }

  get bytes() {
    return Buffer.concat(this.#parts);
  }

  #known(key) {
    return this.#base?.#known(key) ?? this.#offsets.get(key);
  }

  #append(text) {
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0])]);
    const offset = this.#start + this.length;
    this.#parts.push(bytes);
    this.#offsets.set(keyOf(text), offset);
    this.length += bytes.length;
    return offset;
  }
}

/** Returns a string that is equal for equal bytes only, even if they are not UTF-8. */
const keyOf = (text) => Buffer.from(text).toString('latin1');

/**
 * Returns a BTF blob. Each of `types` is a list of 32-bit words or bytes. `strings` are the bytes
 * of the string section. `layout` has `[info, elem, flags]` for each kind.
 */
export function btfBlob({ types, strings, layout = null, headerLength, isBig = false }) {
  const typeLength = types.reduce((sum, part) => sum + byteLengthOf(part), 0);
  const layoutLength = layout === null ? 0 : 4 * layout.length;
  const length = headerLength ?? (layout === null ? HEADER_LENGTH : LONG_HEADER_LENGTH);
  const bytes = Buffer.alloc(length + typeLength + layoutLength + strings.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const writeWords = (words, at) => {
    for (let i = 0; i < words.length; i++) view.setUint32(at + 4 * i, words[i], !isBig);
  };
  view.setUint16(0, BTF_MAGIC, !isBig);
  view.setUint8(2, 1);
  writeWords([length, 0, typeLength, typeLength + layoutLength, strings.length], 4);
  if (layout !== null) writeWords([typeLength, layoutLength], HEADER_LENGTH);
  let at = length;
  for (const part of types) {
    if (part instanceof Uint8Array) bytes.set(part, at);
    else writeWords(part, at);
    at += byteLengthOf(part);
  }
  for (const [info, elem, flags = 0] of layout ?? []) {
    view.setUint8(at, info);
    view.setUint8(at + 1, elem);
    view.setUint16(at + 2, flags, !isBig);
    at += 4;
  }
  bytes.set(strings, at);
  return bytes;
}

const byteLengthOf = (part) => (part instanceof Uint8Array ? part.length : 4 * part.length);
