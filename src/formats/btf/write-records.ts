/**
 * Records for `BtfWriter`: plain objects with the field names of include/uapi/linux/btf.h. Source:
 * "BTF Type Format", sections 2.2.1 to 2.2.19. Ids are those of the written blob.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import type { BtfKind } from './kinds.ts';

/** A name as text (UTF-8), as bytes, or as the offset of an earlier string. Empty text and offset 0 mean: no name. */
export type BtfName = string | Uint8Array | number;

/** Fields of every record. Defaults: no name, kind_flag 0. */
type Head = { readonly name?: BtfName; readonly kindFlag?: boolean };

type BtfMember = {
  readonly name?: BtfName;
  readonly type: number;
  /** Bits from the start of the struct. */
  readonly bitOffset: number;
  /** Bits; not 0 only if the record has kind_flag. */
  readonly bitfieldSize?: number;
};

export type BtfCompositeRecord = Head & {
  readonly kind: typeof BtfKind.STRUCT | typeof BtfKind.UNION;
  /** Bytes. */
  readonly size: number;
  readonly members: readonly BtfMember[];
};

/** kind_flag is set if the values are signed. */
export type BtfEnumRecord = Head & {
  readonly kind: typeof BtfKind.ENUM | typeof BtfKind.ENUM64;
  /** Bytes. */
  readonly size: number;
  readonly enumerators: readonly { readonly name?: BtfName; readonly value: bigint }[];
};

export type BtfDatasecRecord = Head & {
  readonly kind: typeof BtfKind.DATASEC;
  /** Bytes. */
  readonly size: number;
  /** Offsets and sizes in bytes. */
  readonly secinfos: readonly {
    readonly type: number;
    readonly offset: number;
    readonly size: number;
  }[];
};

/** Locations of the parameters of inlined functions. The kinds have no kind_flag; only LOCSEC has a name. */
export type BtfLocationRecord = Head &
  (
    | {
        readonly kind: typeof BtfKind.LOC_PARAM;
        /** Bytes. */
        readonly size: number;
        readonly flags: number;
        readonly values: readonly number[];
      }
    | { readonly kind: typeof BtfKind.LOC_PROTO; readonly locations: readonly number[] }
    | {
        readonly kind: typeof BtfKind.LOCSEC;
        /** `offset` in bytes. */
        readonly sites: readonly {
          readonly func: number;
          readonly locProto: number;
          readonly offset: number;
        }[];
      }
  );

export type BtfRecord =
  | BtfCompositeRecord
  | BtfLocationRecord
  | BtfEnumRecord
  | BtfDatasecRecord
  | (Head & {
      readonly kind: typeof BtfKind.INT;
      /** Bytes. */
      readonly size: number;
      /** 1 SIGNED, 2 CHAR, 4 BOOL, or a combination. */
      readonly encoding: number;
      readonly bitOffset: number;
      /** BTF_INT_BITS. */
      readonly bits: number;
    })
  /** `size` in bytes. */
  | (Head & { readonly kind: typeof BtfKind.FLOAT; readonly size: number })
  /** Kinds that are a single reference. */
  | (Head & {
      readonly kind:
        | typeof BtfKind.PTR
        | typeof BtfKind.CONST
        | typeof BtfKind.VOLATILE
        | typeof BtfKind.RESTRICT
        | typeof BtfKind.TYPEDEF
        | typeof BtfKind.TYPE_TAG;
      readonly type: number;
    })
  | (Head & {
      readonly kind: typeof BtfKind.ARRAY;
      readonly elemType: number;
      readonly indexType: number;
      readonly nelems: number;
    })
  /** kind_flag is set for a union. */
  | (Head & { readonly kind: typeof BtfKind.FWD })
  | (Head & {
      readonly kind: typeof BtfKind.FUNC | typeof BtfKind.VAR;
      readonly type: number;
      /** 0 static, 1 global, 2 extern. */
      readonly linkage: number;
    })
  | (Head & {
      readonly kind: typeof BtfKind.FUNC_PROTO;
      /** The return type. */
      readonly type: number;
      /** A last parameter of type 0 without a name is `...`. */
      readonly params: readonly { readonly name?: BtfName; readonly type: number }[];
    })
  | (Head & {
      readonly kind: typeof BtfKind.DECL_TAG;
      readonly type: number;
      /** -1 means the type itself. */
      readonly componentIdx: number;
    });

/** Highest offset of a string that libbpf reads (`BTF_MAX_STR_OFFSET`). */
const MAX_STRING_OFFSET = 0x7fffffff;

const utf8 = new TextEncoder();
// One character per byte: two names are equal if their bytes are.
const latin1 = new TextDecoder('latin1');

export class StringPool {
  readonly #base: number;
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** `base` is the length in bytes of the strings of the base; 0 without a base. */
  constructor(base: number) {
    this.#base = base;
    if (base === 0) this.#append('', new Uint8Array(0));
  }

  /** Length of the section in bytes, without the base. */
  get length(): number {
    return this.#length;
  }

  /** Returns the offset of `name`; appends a new name. Throws `RangeError` for an invalid one. */
  offsetOf(field: string, name: BtfName): number {
    if (typeof name === 'number') {
      const end = this.#base + this.#length;
      if (Number.isInteger(name) && name >= 0 && name < end) return name;
      throw new RangeError(`${field} is ${name}: the strings end at ${end}`);
    }
    if (name.length === 0) return 0;
    const bytes = typeof name === 'string' ? utf8.encode(name) : name;
    const key = latin1.decode(bytes);
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    if (bytes.includes(0)) throw new RangeError(`${field}: a name cannot hold a NUL byte`);
    return this.#append(key, bytes.slice(), field);
  }

  /** Writes the section to `target`, starting at `at`. */
  writeTo(target: Uint8Array, at: number): void {
    let end = at;
    for (const part of this.#parts) {
      target.set(part, end);
      end += part.length + 1;
      target[end - 1] = 0;
    }
  }

  #append(key: string, bytes: Uint8Array, field = 'name_off'): number {
    const offset = this.#base + this.#length;
    if (offset + bytes.length > MAX_STRING_OFFSET) {
      throw new RangeError(`${field} is ${offset}: strings may reach up to ${MAX_STRING_OFFSET}`);
    }
    this.#offsets.set(key, offset);
    this.#parts.push(bytes);
    this.#length += bytes.length + 1;
    return offset;
  }
}

/** Throws `RangeError` that names `field` unless `value` is an integer from `min` to `max`. */
export function requireRange(field: string, value: number, max: number, min = 0): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${field} is ${value}: it must be a whole number from ${min} to ${max}`);
}

export class WordBuffer {
  readonly endian: Endian;
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  constructor(endian: Endian) {
    this.endian = endian;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A view, valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Drops the bytes from `length` on, such as half a record. */
  cut(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** Appends a word. Throws `RangeError` that names `field` if `value` does not fit an unsigned 32-bit word. */
  u32(field: string, value: number): void {
    requireRange(field, value, MAX_U32);
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    this.#view.setUint32(this.#length, value, this.endian === 'little');
    this.#length += 4;
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
