/**
 * Writes a BTF blob: header, types, optional layout, strings.
 *
 * The writer takes plain records and gives each record the next id. `header.ts` and `walk.ts` can
 * read the blob. If a field does not fit, the writer throws a `RangeError` with the name of the
 * field and drops the record, but keeps its names as strings. It does not check the kernel's rules.
 * Source: "BTF Type Format", sections 2.1 and 2.2. The wide encoding is that of 2026: 24 bits of
 * vlen, 7 bits of kind, a header of 32 bytes, and a layout section.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { BTF_HEADER_SIZE, BTF_HEADER_SIZE_LAYOUT } from './header.ts';
import {
  BTF_KIND_MAX,
  BTF_MAGIC,
  BTF_VERSION,
  BtfKind,
  kindLayout,
  kindName,
  RELEASED_KIND_MAX,
} from './kinds.ts';
import {
  type BtfCompositeRecord,
  type BtfEnumRecord,
  type BtfName,
  type BtfRecord,
  requireRange,
  StringPool,
  WordBuffer,
} from './write-records.ts';

/** `wide` is the encoding of 2026, which older readers refuse. */
export type BtfEncoding = 'classic' | 'wide';

export type BtfWriterOptions = {
  /** Byte order; `little` by default. */
  readonly endian?: Endian;
  /** Encoding; `classic` by default. */
  readonly encoding?: BtfEncoding;
  /** Base of a split BTF: id of the first new type, and size in bytes of the base's strings. */
  readonly base?: { readonly firstId: number; readonly strLen: number };
};

const MAX_VLEN: Readonly<Record<BtfEncoding, number>> = { classic: 0xffff, wide: 0xffffff };
const LAYOUT_ENTRY_SIZE = 4;

export class BtfWriter {
  readonly firstId: number;
  readonly #words: WordBuffer;
  readonly #strings: StringPool;
  readonly #maxVlen: number;
  readonly #encoding: BtfEncoding;
  #count = 0;
  #highestRef = { field: '', type: 0 };

  /** Throws `RangeError` if `base` is invalid: the first id of a split BTF is at least 1. */
  constructor({ endian = 'little', encoding = 'classic', base }: BtfWriterOptions = {}) {
    requireRange('base.firstId', base?.firstId ?? 1, MAX_U32, 1);
    requireRange('base.strLen', base?.strLen ?? 0, MAX_U32);
    this.firstId = base?.firstId ?? 1;
    this.#words = new WordBuffer(endian);
    this.#strings = new StringPool(base?.strLen ?? 0);
    this.#maxVlen = MAX_VLEN[encoding];
    this.#encoding = encoding;
  }

  /** Id that the next added type will have. */
  get nextId(): number {
    return this.firstId + this.#count;
  }

  /** Returns the `name_off` of `name`; appends a new name. Throws `RangeError` if it has a NUL. */
  addString(name: string | Uint8Array): number {
    return this.#strings.offsetOf('name_off', name);
  }

  /** Appends a type and returns its id. Throws a `RangeError` if a field is too large. */
  addType(record: BtfRecord): number {
    const start = this.#words.length;
    const highest = this.#highestRef;
    try {
      this.#write(record);
    } catch (error) {
      this.#words.cut(start);
      this.#highestRef = highest;
      throw error;
    }
    this.#count += 1;
    return this.nextId - 1;
  }

  /** Returns the blob of all types so far. Throws `RangeError` if a referenced type is missing. */
  finish(): Uint8Array<ArrayBuffer> {
    const { field, type } = this.#highestRef;
    if (type >= this.nextId) {
      throw new RangeError(`${field} is ${type}: the last type is ${this.nextId - 1}`);
    }
    const wide = this.#encoding === 'wide';
    const hdrLen = wide ? BTF_HEADER_SIZE_LAYOUT : BTF_HEADER_SIZE;
    const layoutLen = wide ? (BTF_KIND_MAX + 1) * LAYOUT_ENTRY_SIZE : 0;
    const typeLen = this.#words.length;
    const strOff = typeLen + layoutLen;
    const blob = new Uint8Array(hdrLen + strOff + this.#strings.length);
    const view = new DataView(blob.buffer);
    const little = this.#words.endian === 'little';
    view.setUint16(0, BTF_MAGIC, little);
    view.setUint8(2, BTF_VERSION);
    const fields = [hdrLen, 0, typeLen, strOff, this.#strings.length];
    if (wide) fields.push(typeLen, layoutLen);
    for (const [i, value] of fields.entries()) view.setUint32(4 + 4 * i, value, little);
    blob.set(this.#words.bytes, hdrLen);
    if (wide) writeLayout(blob, hdrLen + typeLen, BTF_KIND_MAX);
    this.#strings.writeTo(blob, hdrLen + strOff);
    return blob;
  }

  #write(record: BtfRecord): void {
    switch (record.kind) {
      case BtfKind.INT: {
        const { encoding, bitOffset, bits } = record;
        this.#head(record, 0, 'size', record.size);
        requireRange('encoding', encoding, 0xf);
        requireRange('bits_offset', bitOffset, 0xff);
        requireRange('nr_bits', bits, 0xff);
        this.#words.u32('int data', encoding * 0x1000000 + bitOffset * 0x10000 + bits);
        return;
      }
      case BtfKind.FLOAT:
        this.#head(record, 0, 'size', record.size);
        return;
      case BtfKind.FWD:
        this.#head(record, 0, 'type', 0);
        return;
      case BtfKind.PTR:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPEDEF:
      case BtfKind.TYPE_TAG:
        this.#head(record, 0, 'type', this.#ref('type', record.type));
        return;
      case BtfKind.FUNC:
        this.#head(record, record.linkage, 'type', this.#ref('type', record.type));
        return;
      case BtfKind.VAR:
        this.#head(record, 0, 'type', this.#ref('type', record.type));
        this.#words.u32('linkage', record.linkage);
        return;
      case BtfKind.DECL_TAG:
        this.#head(record, 0, 'type', this.#ref('type', record.type));
        requireRange('component_idx', record.componentIdx, 0x7fffffff, -0x80000000);
        this.#words.u32('component_idx', record.componentIdx >>> 0);
        return;
      case BtfKind.ARRAY:
        this.#head(record, 0, 'size', 0);
        this.#words.u32('elem type', this.#ref('elem type', record.elemType));
        this.#words.u32('index_type', this.#ref('index_type', record.indexType));
        this.#words.u32('nelems', record.nelems);
        return;
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        this.#composite(record);
        return;
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        this.#enumeration(record);
        return;
      case BtfKind.FUNC_PROTO:
        this.#head(record, record.params.length, 'type', this.#ref('return type', record.type));
        for (const { name = 0, type } of record.params) {
          this.#words.u32('param name_off', this.#nameOff('param name_off', name));
          this.#words.u32('param type', this.#ref('param type', type));
        }
        return;
      case BtfKind.DATASEC:
        this.#head(record, record.secinfos.length, 'size', record.size);
        for (const { type, offset, size } of record.secinfos) {
          this.#words.u32('secinfo type', this.#ref('secinfo type', type));
          this.#words.u32('secinfo offset', offset);
          this.#words.u32('secinfo size', size);
        }
        return;
      case BtfKind.LOC_PARAM:
        this.#head(record, record.values.length, 'size', record.size);
        this.#words.u32('flags', record.flags);
        for (const value of record.values) this.#words.u32('value', value);
        return;
      case BtfKind.LOC_PROTO:
        this.#head(record, record.locations.length, 'type', 0);
        for (const id of record.locations) this.#words.u32('location', this.#ref('location', id));
        return;
      case BtfKind.LOCSEC:
        this.#head(record, record.sites.length, 'type', 0);
        for (const { func, locProto, offset } of record.sites) {
          this.#words.u32('func', this.#ref('func', func));
          this.#words.u32('loc_proto', this.#ref('loc_proto', locProto));
          this.#words.u32('offset', offset);
        }
        return;
      default:
        throw new RangeError(`kind must be one of ${kindName(1)} to ${kindName(BTF_KIND_MAX)}`);
    }
  }

  #head(
    { kind, name = 0, kindFlag = false }: Pick<BtfRecord, 'kind' | 'name' | 'kindFlag'>,
    vlen: number,
    third: string,
    sizeOrType: number,
  ): void {
    requireRange(kind === BtfKind.FUNC ? 'linkage' : 'vlen', vlen, this.#maxVlen);
    this.#words.u32('name_off', this.#nameOff('name_off', name));
    this.#words.u32('info', (kindFlag ? 0x80000000 : 0) + kind * 0x1000000 + vlen);
    this.#words.u32(third, sizeOrType);
  }

  #ref(field: string, type: number): number {
    if (type > this.#highestRef.type) this.#highestRef = { field, type };
    return type;
  }

  #composite(record: BtfCompositeRecord): void {
    this.#head(record, record.members.length, 'size', record.size);
    const maxOffset = record.kindFlag === true ? 0xffffff : MAX_U32;
    const maxWidth = record.kindFlag === true ? 0xff : 0;
    for (const { name = 0, type, bitOffset, bitfieldSize = 0 } of record.members) {
      this.#words.u32('member name_off', this.#nameOff('member name_off', name));
      this.#words.u32('member type', this.#ref('member type', type));
      requireRange('member bits_offset', bitOffset, maxOffset);
      requireRange('member bitfield_size', bitfieldSize, maxWidth);
      this.#words.u32('member offset', bitfieldSize * 0x1000000 + bitOffset);
    }
  }

  #enumeration(record: BtfEnumRecord): void {
    this.#head(record, record.enumerators.length, 'size', record.size);
    const wide = record.kind === BtfKind.ENUM64;
    for (const { name = 0, value } of record.enumerators) {
      this.#words.u32('enumerator name_off', this.#nameOff('enumerator name_off', name));
      requireValue(value, wide ? 64 : 32, record.kindFlag === true);
      this.#words.u32('val', Number(BigInt.asUintN(32, value)));
      if (wide) this.#words.u32('val_hi32', Number(BigInt.asUintN(32, value >> 32n)));
    }
  }

  #nameOff(field: string, name: BtfName): number {
    return this.#strings.offsetOf(field, name);
  }
}

function requireValue(value: bigint, bits: number, signed: boolean): void {
  const fits = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  if (fits === value) return;
  const sort = signed ? 'signed' : 'unsigned';
  throw new RangeError(`val is ${value}: it does not fit ${bits} bits, ${sort}`);
}

/**
 * Returns a blob with the header of 32 bytes, as libbpf writes it since 2026 also without a layout.
 * Source: libbpf, btf.c, `btf_new_empty`, `btf_get_raw_data`.
 */
export function rawBtf(sections: {
  readonly types: Uint8Array;
  readonly strings: Uint8Array;
  readonly endian: Endian;
  readonly hasLayout: boolean;
}): Uint8Array<ArrayBuffer> {
  const { types, strings, endian, hasLayout } = sections;
  const layoutLen = hasLayout ? (RELEASED_KIND_MAX + 1) * LAYOUT_ENTRY_SIZE : 0;
  const strOff = types.length + layoutLen;
  const blob = new Uint8Array(BTF_HEADER_SIZE_LAYOUT + strOff + strings.length);
  const view = new DataView(blob.buffer);
  const little = endian === 'little';
  view.setUint16(0, BTF_MAGIC, little);
  view.setUint8(2, BTF_VERSION);
  const fields = [BTF_HEADER_SIZE_LAYOUT, 0, types.length, strOff, strings.length];
  if (hasLayout) fields.push(types.length, layoutLen);
  for (const [i, value] of fields.entries()) view.setUint32(4 + 4 * i, value, little);
  blob.set(types, BTF_HEADER_SIZE_LAYOUT);
  if (hasLayout) writeLayout(blob, BTF_HEADER_SIZE_LAYOUT + types.length, RELEASED_KIND_MAX);
  blob.set(strings, BTF_HEADER_SIZE_LAYOUT + strOff);
  return blob;
}

/** Writes the layout section. Entry N describes kind N; the entry of kind 0 is zero. */
function writeLayout(blob: Uint8Array, at: number, lastKind: number): void {
  for (let kind = 0; kind <= lastKind; kind++) {
    const { fixed, item } = kindLayout(kind) ?? { fixed: 0, item: 0 };
    blob.set([fixed, item, 0, 0], at + kind * LAYOUT_ENTRY_SIZE);
  }
}
