/**
 * Input records of `BtfWriter`: plain objects with the field names of include/uapi/linux/btf.h.
 * Source: "BTF Type Format", sections 2.2.1 to 2.2.19. Type ids are those of the written blob.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import type { BtfKind } from './kinds.ts';

/** A name as text, as bytes, or as the offset of a string in the blob. '' and 0 mean: no name. */
export type BtfName = string | Uint8Array | number;

/** Fields of every record. By default there is no name, and `kind_flag` is 0. */
type Head = { readonly name?: BtfName; readonly kindFlag?: boolean };

type BtfMember = {
  readonly name?: BtfName;
  readonly type: number;
  /** Offset of the member in bits from the start of the struct. */
  readonly bitOffset: number;
  /** Width of a bit-field in bits. Must be 0 or absent in a record without kind_flag. */
  readonly bitfieldSize?: number;
};

export type BtfCompositeRecord = Head & {
  readonly kind: typeof BtfKind.STRUCT | typeof BtfKind.UNION;
  /** Size of the struct or union in bytes. */
  readonly size: number;
  readonly members: readonly BtfMember[];
};

/** An ENUM or ENUM64. `kindFlag` is true if the values are signed. */
export type BtfEnumRecord = Head & {
  readonly kind: typeof BtfKind.ENUM | typeof BtfKind.ENUM64;
  /** Size of the enumeration in bytes. */
  readonly size: number;
  readonly enumerators: readonly { readonly name?: BtfName; readonly value: bigint }[];
};

export type BtfDatasecRecord = Head & {
  readonly kind: typeof BtfKind.DATASEC;
  /** Size of the section in bytes. */
  readonly size: number;
  /** Variables of the section. `offset` and `size` are in bytes. */
  readonly secinfos: readonly {
    readonly type: number;
    readonly offset: number;
    readonly size: number;
  }[];
};

/** Locations of parameters of inlined functions. No kind_flag is set; only LOCSEC has a name. */
export type BtfLocationRecord = Head &
  (
    | {
        readonly kind: typeof BtfKind.LOC_PARAM;
        /** Size of the parameter in bytes. */
        readonly size: number;
        readonly flags: number;
        readonly values: readonly number[];
      }
    | { readonly kind: typeof BtfKind.LOC_PROTO; readonly locations: readonly number[] }
    | {
        readonly kind: typeof BtfKind.LOCSEC;
        /** Inlined calls. `offset` is in bytes from the start of the section. */
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
      /** Size of the integer in bytes. */
      readonly size: number;
      /** Encoding: 1 SIGNED, 2 CHAR, 4 BOOL, or a combination. */
      readonly encoding: number;
      readonly bitOffset: number;
      /** Number of bits of the integer (BTF_INT_BITS). */
      readonly bits: number;
    })
  /** A FLOAT. `size` is in bytes. */
  | (Head & { readonly kind: typeof BtfKind.FLOAT; readonly size: number })
  /** Kinds that consist of a reference to another type. */
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
  /** A forward declaration. `kindFlag` is true for a union. */
  | (Head & { readonly kind: typeof BtfKind.FWD })
  | (Head & {
      readonly kind: typeof BtfKind.FUNC | typeof BtfKind.VAR;
      readonly type: number;
      /** Linkage: 0 static, 1 global, 2 extern. */
      readonly linkage: number;
    })
  | (Head & {
      readonly kind: typeof BtfKind.FUNC_PROTO;
      /** Type id of the return type. */
      readonly type: number;
      /** Parameters. A last parameter of type 0 without a name is `...`. */
      readonly params: readonly { readonly name?: BtfName; readonly type: number }[];
    })
  | (Head & {
      readonly kind: typeof BtfKind.DECL_TAG;
      readonly type: number;
      /** Number of the member or parameter that has the tag; -1 for the type itself. */
      readonly componentIdx: number;
    });

/** Highest string offset that libbpf accepts (`BTF_MAX_STR_OFFSET`). */
const MAX_STRING_OFFSET = 0x7fffffff;

const utf8 = new TextEncoder();
// Decodes each byte to one character, so that names with equal bytes become equal strings.
const latin1 = new TextDecoder('latin1');

export class StringPool {
  readonly #base: number;
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** `base` is the size in bytes of the strings of the base BTF; 0 without a base. */
  constructor(base: number) {
    this.#base = base;
    if (base === 0) this.#append('', new Uint8Array(0));
  }

  /** Size of the new strings in bytes, without the strings of the base. */
  get length(): number {
    return this.#length;
  }

  /** Returns the offset of `name`; appends a new name. Throws `RangeError` for an invalid name. */
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

  /** Returns the offset of `name`; undefined if the strings lack it. */
  known(name: Uint8Array): number | undefined {
    return this.#offsets.get(latin1.decode(name));
  }

  /** Copies the strings to `target` from offset `at` on. */
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

/** Throws a `RangeError` about `field` unless `value` is an integer from `min` to `max`. */
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

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** View of the written bytes, valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Drops all bytes after the first `length`, such as half of a record. */
  cut(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** Appends `value`. Throws a `RangeError` about `field` if it does not fit into 32 bits. */
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
