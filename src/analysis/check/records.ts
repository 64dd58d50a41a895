/**
 * The records of a blob as plain words, for rules that look before anything is
 * known to be right. Reading goes as far as libbpf's: vlen of 24 bits, kinds of
 * 7, a layout where there is one. Where the kernel reads otherwise it has
 * refused the record before it comes to the difference.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import type { Extent } from '#formats/btf/header.ts';
import { BTF_TYPE_SIZE, infoKind, infoKindFlag, infoVlen, kindName } from '#formats/btf/kinds.ts';
import type { BtfLayout } from '#formats/btf/layout.ts';
import { type WalkStop, walkTypes } from '#formats/btf/walk.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import type { Place } from './report.ts';

/** The kind of an id that has no type. */
export const NO_TYPE = -1;

/** Names in sentences are cut here; they may have a megabyte. */
const SHOWN_NAME_BYTES = 60;

export class Records {
  readonly base: TypeTable | null;
  readonly firstId: number;
  /** One more than the last id. */
  readonly endId: number;
  /** Why the walk ended early; null when it did not. */
  readonly stop: WalkStop | null;
  readonly #blob: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #offsets: Uint32Array;
  readonly #strings: Uint8Array;
  readonly #stringBase: number;

  /** `types` and `strings` are extents in `blob` and must lie inside it. */
  constructor(
    blob: Uint8Array,
    endian: Endian,
    extents: { readonly types: Extent; readonly strings: Extent },
    layout: BtfLayout | null,
    base: TypeTable | null,
  ) {
    const walk = walkTypes(new ByteReader(blob, '.BTF', endian), extents.types, layout);
    this.base = base;
    this.firstId = base === null ? 1 : lastId(base) + 1;
    this.endId = this.firstId + walk.count;
    this.stop = walk.stop;
    this.#blob = blob;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.length);
    this.#little = endian === 'little';
    this.#offsets = walk.recordOff;
    this.#strings = blob.subarray(extents.strings.start, extents.strings.end);
    this.#stringBase = base === null ? 0 : base.strBase + (base.strEnd - base.strStart);
  }

  /** Offset of the record in the blob. `endId` gives the end of the last record. */
  offsetOf(id: number): number {
    return this.#offsets[id - this.firstId] ?? 0;
  }

  /** The 32-bit word at `offset` of the blob; 0 outside. */
  u32(offset: number): number {
    return offset + 4 <= this.#blob.length ? this.#view.getUint32(offset, this.#little) : 0;
  }

  nameOff(id: number): number {
    return this.u32(this.offsetOf(id));
  }

  info(id: number): number {
    return this.u32(this.offsetOf(id) + 4);
  }

  /** The third word: size or type. */
  sizeOrType(id: number): number {
    return this.u32(this.offsetOf(id) + 8);
  }

  vlen(id: number): number {
    return infoVlen(this.info(id));
  }

  kindFlag(id: number): boolean {
    return infoKindFlag(this.info(id));
  }

  /** The kind of own types and those of the base; 0 for void, `NO_TYPE` where there is no such type. */
  kind(id: number): number {
    if (id === 0) return 0;
    if (id >= this.endId) return NO_TYPE;
    if (id >= this.firstId) return infoKind(this.info(id));
    return this.base === null ? NO_TYPE : kindOf(this.base, typeId(id));
  }

  /** Would `id` be there had the walk gone on? */
  isUnread(id: number): boolean {
    return this.stop !== null && id >= this.endId;
  }

  /** Does `nameOff` lie inside the strings, those of the base included? */
  hasString(nameOff: number): boolean {
    return nameOff < this.#stringBase + this.#strings.length;
  }

  /** The bytes that hold the string at `nameOff`, and where in them it begins; no bytes when there is none. */
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

  /** The word `word` of item `index`, where items have `itemSize` bytes and follow the common 12. */
  itemPlace(id: number, itemSize: number, index: number, word: number): Place {
    return this.place(id, BTF_TYPE_SIZE + itemSize * index + 4 * word);
  }
}
