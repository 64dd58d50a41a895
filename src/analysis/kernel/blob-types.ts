/**
 * Types of a blob that may be invalid, read as libbpf reads them: vlen has 24 bits, a kind has 7,
 * and the layout section states sizes. The kernel rejects all records that it would read
 * differently. Source of the functions about kinds: the `btf_type_is_…` of kernel/bpf/btf.c.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import type { BtfLayout } from '#formats/btf/header.ts';
import { BTF_TYPE_SIZE, BtfKind, type IntData, intDataOf, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { type WalkStop, walkTypes } from '#formats/btf/walk.ts';
import { typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier, kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import type { KernelVersion } from './rules.ts';
import type { Place } from './verdict.ts';

/** Kind of an id without a type. */
export const NO_TYPE = -1;

/** Maximum bytes of a name in a sentence; a name may have a megabyte. */
const SHOWN_NAME_BYTES = 60;

export class BlobTypes {
  readonly base: TypeTable | null;
  /** Kernel whose rules apply. Kinds unknown to the kernel have sizes in the layout section. */
  readonly kernel: KernelVersion;
  /** Size of a pointer of the kernel in bytes. */
  readonly pointerBytes: 4 | 8;
  readonly firstId: number;
  /** One more than the last id. */
  readonly endId: number;
  /** Record at which reading ended early; null if all records were read. */
  readonly stop: WalkStop | null;
  readonly #records: RecordReader;
  readonly #little: boolean;
  readonly #strings: Uint8Array;
  readonly #stringBase: number;

  /** `types` and `strings` are extents in `blob` and must lie inside it. */
  constructor(
    blob: Uint8Array,
    endian: Endian,
    extents: { readonly types: Span; readonly strings: Span },
    layout: BtfLayout | null,
    base: TypeTable | null,
    kernel: KernelVersion,
    pointerBytes: 4 | 8 = 8,
  ) {
    const reader = new ByteReader(blob, '.BTF', endian);
    const walk = walkTypes(reader, extents.types, layout, kernel.kindMax);
    this.base = base;
    this.kernel = kernel;
    this.pointerBytes = pointerBytes;
    this.firstId = base === null ? 1 : lastId(base) + 1;
    this.endId = this.firstId + walk.count;
    this.stop = walk.stop;
    this.#records = new RecordReader({ blob, endian, ...walk });
    this.#little = endian === 'little';
    this.#strings = blob.subarray(extents.strings.start, extents.strings.end);
    this.#stringBase = base === null ? 0 : base.strBase + (base.strEnd - base.strStart);
  }

  /** Returns the offset of record `id` in the blob; for `endId` the end of the last record. */
  offsetOf(id: number): number {
    return this.#records.start(id - this.firstId);
  }

  /** Returns the 32-bit word at `offset` of the blob; 0 outside of the blob. */
  u32(offset: number): number {
    return this.#records.u32(offset);
  }

  nameOff(id: number): number {
    return this.#records.nameOff(id - this.firstId);
  }

  info(id: number): number {
    return this.#records.info(id - this.firstId);
  }

  sizeOrType(id: number): number {
    return this.#records.sizeOrType(id - this.firstId);
  }

  vlen(id: number): number {
    return this.#records.vlen(id - this.firstId);
  }

  kindFlag(id: number): boolean {
    return this.#records.kindFlag(id - this.firstId);
  }

  /** Returns the field at `offset` of the fixed part, which follows `struct btf_type`. */
  fixed(id: number, offset = 0): number {
    return this.u32(this.#records.tail(id - this.firstId) + offset);
  }

  /** Returns the offset of item `index` of a record in the blob. */
  itemOffset(id: number, index: number): number {
    return this.#records.itemStart(id - this.firstId, index);
  }

  /** Returns the field at `offset` of item `index` of a record. */
  item(id: number, index: number, offset: number): number {
    return this.u32(this.itemOffset(id, index) + offset);
  }

  /** Returns the kind of `id` in the blob or base: 0 for void, `NO_TYPE` for a missing type. */
  kind(id: number): number {
    if (id === 0) return 0;
    if (id >= this.endId) return NO_TYPE;
    if (id >= this.firstId) return this.#records.kind(id - this.firstId);
    return this.base === null ? NO_TYPE : kindOf(this.base, typeId(id));
  }

  /** Returns true if the record of `id` may follow the place at which reading ended early. */
  isUnread(id: number): boolean {
    return this.stop !== null && id >= this.endId;
  }

  /** Returns true if `nameOff` is inside the strings of the blob or its base. */
  hasString(nameOff: number): boolean {
    return nameOff < this.#stringBase + this.#strings.length;
  }

  /** Returns the bytes with the string at `nameOff`, and its start; no bytes if it is missing. */
  string(nameOff: number): { readonly bytes: Uint8Array; readonly start: number } {
    if (nameOff >= this.#stringBase) {
      return { bytes: this.#strings, start: nameOff - this.#stringBase };
    }
    let table = this.base;
    while (table !== null && nameOff < table.strBase) table = table.base;
    if (table === null) return { bytes: this.#strings.subarray(0, 0), start: 0 };
    return {
      bytes: table.blob.subarray(table.strStart, table.strEnd),
      start: nameOff - table.strBase,
    };
  }

  /** Returns at most `limit` bytes of the string at `nameOff`; each byte becomes one character. */
  text(nameOff: number, limit: number): string {
    const { bytes, start } = this.string(nameOff);
    const cut = bytes.subarray(start, start + limit);
    return String.fromCharCode(...cut.subarray(0, stringEnd(cut, 0)));
  }

  /** Returns the beginning of the name at `nameOff` for a sentence; `(anon)` for an empty name. */
  nameText(nameOff: number): string {
    const { bytes, start } = this.string(nameOff);
    const end = stringEnd(bytes, start);
    if (!this.hasString(nameOff) || end <= start) return '(anon)';
    const cut = Math.min(end, start + SHOWN_NAME_BYTES);
    return decodeText(bytes.subarray(start, cut)) + (cut < end ? '…' : '');
  }

  /** Returns the name of a type for a sentence: `[6] STRUCT task`. */
  label(id: number): string {
    const kind = this.kind(id);
    if (id === 0) return 'void';
    if (kind === NO_TYPE) return `type ${id}, which does not exist`;
    if (id < this.firstId) return `[${id}] ${kindName(kind)} of the base`;
    return `[${id}] ${kindName(kind)} ${this.nameText(this.nameOff(id))}`;
  }

  /** Returns the place of `length` bytes at `offset` of record `id`. */
  place(id: number, offset: number, length = 4): Place {
    return { typeId: id, blobOffset: this.offsetOf(id) + offset, length };
  }

  /** Returns the place of vlen in the word `info`. */
  vlenPlace(id: number): Place {
    return this.place(id, this.#little ? 4 : 6, 2);
  }

  /** Returns the place of kind and kind_flag in the word `info`. */
  kindPlace(id: number): Place {
    return this.place(id, this.#little ? 7 : 4, 1);
  }

  /** Returns the place of the field at `offset` of the fixed part after `struct btf_type`. */
  fixedPlace(id: number, offset = 0): Place {
    return this.place(id, BTF_TYPE_SIZE + offset);
  }

  /** Returns the place of the field at `offset` of item `index`. */
  itemPlace(id: number, index: number, offset: number): Place {
    return { typeId: id, blobOffset: this.itemOffset(id, index) + offset, length: 4 };
  }
}

/** A type with a size in bytes. */
export type Sized = { readonly id: number; readonly size: number };

/** Returns true for kinds that only a DATASEC, a DECL_TAG or a location may refer to. */
export function isSourceOnly(kind: number): boolean {
  return (
    kind === BtfKind.VAR ||
    kind === BtfKind.DECL_TAG ||
    kind === BtfKind.DATASEC ||
    (kind >= BtfKind.LOC_PARAM && kind <= BtfKind.LOCSEC)
  );
}

/** Returns true for void, a missing type, and each kind without a size. */
export function lacksSize(kind: number): boolean {
  return (
    kind === NO_TYPE ||
    kind === BtfKind.UNKN ||
    kind === BtfKind.FWD ||
    kind === BtfKind.FUNC ||
    kind === BtfKind.FUNC_PROTO ||
    kind === BtfKind.DECL_TAG
  );
}

/** Returns true for kinds that refer to other types. */
export function needsResolve(kind: number): boolean {
  return (
    isModifier(kind) ||
    isComposite(kind) ||
    kind === BtfKind.PTR ||
    kind === BtfKind.ARRAY ||
    kind === BtfKind.VAR ||
    kind === BtfKind.FUNC ||
    kind === BtfKind.DECL_TAG ||
    kind === BtfKind.DATASEC
  );
}

export function intOf(r: BlobTypes, id: number): IntData {
  return intDataOf(r.fixed(id));
}

/** Returns true for an INT of 8 to 128 bits without offset. Source: btf_type_int_is_regular. */
export function isRegularInt(r: BlobTypes, id: number): boolean {
  if (r.kind(id) !== BtfKind.INT) return false;
  const { bitOffset, bits } = intOf(r, id);
  return bitOffset === 0 && [8, 16, 32, 64, 128].includes(bits);
}
