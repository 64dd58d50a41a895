/**
 * The types of a blob for rules that run before the blob is known to be valid.
 *
 * Records are read as libbpf reads them: vlen of 24 bits, kinds of 7, the layout section where
 * there is one. Where the kernel reads a record otherwise, it has already rejected the record.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import type { BtfLayout } from '#formats/btf/header.ts';
import { BTF_TYPE_SIZE, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { type WalkStop, walkTypes } from '#formats/btf/walk.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import type { KernelVersion } from './kernel-rules.ts';
import type { Place } from './verdict.ts';

/** The kind of an id that has no type. */
export const NO_TYPE = -1;

/** Names in sentences are cut here; they may have a megabyte. */
const SHOWN_NAME_BYTES = 60;

export class BlobTypes {
  readonly base: TypeTable | null;
  /** The kernel whose rules apply: the layout, if there is one, has the sizes of kinds that this kernel does not know. */
  readonly kernel: KernelVersion;
  readonly firstId: number;
  /** One more than the last id. */
  readonly endId: number;
  /** The reason why the walk ended early; else null. */
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
  ) {
    const reader = new ByteReader(blob, '.BTF', endian);
    const walk = walkTypes(reader, extents.types, layout, kernel.kindMax);
    this.base = base;
    this.kernel = kernel;
    this.firstId = base === null ? 1 : lastId(base) + 1;
    this.endId = this.firstId + walk.count;
    this.stop = walk.stop;
    this.#records = new RecordReader({ blob, endian, ...walk });
    this.#little = endian === 'little';
    this.#strings = blob.subarray(extents.strings.start, extents.strings.end);
    this.#stringBase = base === null ? 0 : base.strBase + (base.strEnd - base.strStart);
  }

  /** Offset of the record in the blob. `endId` gives the end of the last record. */
  offsetOf(id: number): number {
    return this.#records.start(id - this.firstId);
  }

  /** The 32-bit word at `offset` of the blob; 0 outside. */
  u32(offset: number): number {
    return this.#records.u32(offset);
  }

  nameOff(id: number): number {
    return this.#records.nameOff(id - this.firstId);
  }

  info(id: number): number {
    return this.#records.info(id - this.firstId);
  }

  /** The third word: size or type. */
  sizeOrType(id: number): number {
    return this.#records.sizeOrType(id - this.firstId);
  }

  vlen(id: number): number {
    return this.#records.vlen(id - this.firstId);
  }

  kindFlag(id: number): boolean {
    return this.#records.kindFlag(id - this.firstId);
  }

  /** Returns the field at `offset` of the fixed part after `struct btf_type`. */
  fixed(id: number, offset = 0): number {
    return this.u32(this.#records.tail(id - this.firstId) + offset);
  }

  /** Offset in the blob of item `index`. */
  itemOffset(id: number, index: number): number {
    return this.#records.itemStart(id - this.firstId, index);
  }

  /** The field at `offset` of item `index`. */
  item(id: number, index: number, offset: number): number {
    return this.u32(this.itemOffset(id, index) + offset);
  }

  /** Returns the kind of an own or base type; 0 for void, `NO_TYPE` where the type does not exist. */
  kind(id: number): number {
    if (id === 0) return 0;
    if (id >= this.endId) return NO_TYPE;
    if (id >= this.firstId) return this.#records.kind(id - this.firstId);
    return this.base === null ? NO_TYPE : kindOf(this.base, typeId(id));
  }

  /** Returns whether `id` may be a type that the walk did not reach. */
  isUnread(id: number): boolean {
    return this.stop !== null && id >= this.endId;
  }

  /** Returns whether `nameOff` is inside the strings of the blob and its base. */
  hasString(nameOff: number): boolean {
    return nameOff < this.#stringBase + this.#strings.length;
  }

  /** Returns the bytes with the string at `nameOff`, and its start in them; no bytes where there is no string. */
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

  /** The string at `nameOff`, a character for each byte, at most `limit` of them. */
  text(nameOff: number, limit: number): string {
    const { bytes, start } = this.string(nameOff);
    const cut = bytes.subarray(start, start + limit);
    return String.fromCharCode(...cut.subarray(0, stringEnd(cut, 0)));
  }

  /** The name at `nameOff` for a sentence, cut short; `(anon)` when it is empty. */
  nameText(nameOff: number): string {
    const { bytes, start } = this.string(nameOff);
    const end = stringEnd(bytes, start);
    if (!this.hasString(nameOff) || end <= start) return '(anon)';
    const cut = Math.min(end, start + SHOWN_NAME_BYTES);
    return decodeText(bytes.subarray(start, cut)) + (cut < end ? '…' : '');
  }

  /** An own type for a sentence: `[6] STRUCT task`. */
  label(id: number): string {
    const kind = this.kind(id);
    if (id === 0) return 'void';
    if (kind === NO_TYPE) return `type ${id}, which does not exist`;
    if (id < this.firstId) return `[${id}] ${kindName(kind)} of the base`;
    return `[${id}] ${kindName(kind)} ${this.nameText(this.nameOff(id))}`;
  }

  /** `length` bytes of the record, from `offset` bytes into it. */
  place(id: number, offset: number, length = 4): Place {
    return { typeId: id, blobOffset: this.offsetOf(id) + offset, length };
  }

  /** The bytes of info that hold vlen. */
  vlenPlace(id: number): Place {
    return this.place(id, this.#little ? 4 : 6, 2);
  }

  /** The byte of info that holds kind and kind_flag. */
  kindPlace(id: number): Place {
    return this.place(id, this.#little ? 7 : 4, 1);
  }

  /** Returns the field at `offset` of the fixed part after `struct btf_type`. */
  fixedPlace(id: number, offset = 0): Place {
    return this.place(id, BTF_TYPE_SIZE + offset);
  }

  /** The field at `offset` of item `index`. */
  itemPlace(id: number, index: number, offset: number): Place {
    return { typeId: id, blobOffset: this.itemOffset(id, index) + offset, length: 4 };
  }
}
