/**
 * The own records of a type table as words of its bytes: what a pass over
 * 130,000 types can afford. One `DataView`, no objects.
 */
import type { Span } from '#bytes/span.ts';
import { BTF_TYPE_SIZE, BtfKind, infoKind, kindLayout } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';

export class BlobRecords {
  readonly types: TypeTable;
  /** Number of own records; record `i` has id `firstId + i`. */
  readonly count: number;
  readonly firstId: number;
  readonly lastId: number;
  /** Kind of each own record. */
  readonly kinds: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(types: TypeTable) {
    this.types = types;
    this.count = types.count;
    this.firstId = types.firstId;
    this.lastId = lastId(types);
    this.#view = new DataView(types.blob.buffer, types.blob.byteOffset, types.blob.byteLength);
    this.#little = types.endian === 'little';
    this.kinds = new Uint8Array(types.count);
    for (let i = 0; i < types.count; i++) this.kinds[i] = infoKind(this.u32(this.start(i) + 4));
  }

  /** The u32 at `offset` of the blob; 0 outside. */
  u32(offset: number): number {
    return offset + 4 <= this.#view.byteLength ? this.#view.getUint32(offset, this.#little) : 0;
  }

  /** Offset of record `i` in the blob. */
  start(i: number): number {
    return this.types.recordOff[i] ?? 0;
  }

  info(i: number): number {
    return this.u32(this.start(i) + 4);
  }

  vlen(i: number): number {
    return this.info(i) & 0xffffff;
  }

  kindFlag(i: number): boolean {
    return this.info(i) >>> 31 === 1;
  }

  /** Third word: size or type. */
  sizeOrType(i: number): number {
    return this.u32(this.start(i) + 8);
  }

  /** Is there a record with this id at all? Ids of a base that is not loaded are believed. */
  exists(id: number): boolean {
    return id <= this.lastId;
  }

  /** Kind of any type; -1 for void, for what does not exist, and for a base that is not loaded. */
  kindOf(id: number): number {
    if (id >= this.firstId) return this.kinds[id - this.firstId] ?? -1;
    return id === 0 || this.types.base === null ? -1 : kindOf(this.types.base, typeId(id));
  }

  /** File span of `length` bytes at `offset` of the blob; null where they are not in the file as such. */
  span(offset: number, length: number): Span | null {
    const { fileOffset } = this.types;
    if (fileOffset === null) return null;
    return { start: fileOffset + offset, end: fileOffset + offset + length };
  }

  /** File span of the 12 bytes that open record `i`. */
  headSpan(i: number): Span | null {
    return this.span(this.start(i), BTF_TYPE_SIZE);
  }

  /** Offset in the blob of item `item` (member, enumerator, parameter, variable) of record `i`. */
  itemStart(i: number, item: number): number {
    const layout = kindLayout(this.kinds[i] ?? 0);
    return this.start(i) + BTF_TYPE_SIZE + (layout?.item ?? 0) * item;
  }
}

/** `type [4]`. */
export function typeLabel(records: BlobRecords, i: number): string {
  return `type [${records.firstId + i}]`;
}

/** Where a type refers to another. */
export type RefRole = 'type' | 'element' | 'index' | 'member' | 'argument' | 'result' | 'variable';

/** Calls `visit` for every reference of record `i`: the id, its offset in the blob, its role, and the number of the item. */
export function eachReference(
  records: BlobRecords,
  i: number,
  visit: (id: number, offset: number, role: RefRole, item: number) => void,
): void {
  const start = records.start(i);
  const kind = records.kinds[i];
  switch (kind) {
    case BtfKind.PTR:
    case BtfKind.TYPEDEF:
    case BtfKind.VOLATILE:
    case BtfKind.CONST:
    case BtfKind.RESTRICT:
    case BtfKind.FUNC:
    case BtfKind.VAR:
    case BtfKind.DECL_TAG:
    case BtfKind.TYPE_TAG:
      visit(records.u32(start + 8), start + 8, 'type', 0);
      break;
    case BtfKind.ARRAY:
      visit(records.u32(start + 12), start + 12, 'element', 0);
      visit(records.u32(start + 16), start + 16, 'index', 0);
      break;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      eachItem(records, i, 12, 4, 'member', visit);
      break;
    case BtfKind.FUNC_PROTO:
      visit(records.u32(start + 8), start + 8, 'result', 0);
      eachItem(records, i, 8, 4, 'argument', visit);
      break;
    case BtfKind.DATASEC:
      eachItem(records, i, 12, 0, 'variable', visit);
      break;
  }
}

function eachItem(
  records: BlobRecords,
  i: number,
  itemSize: number,
  typeOffset: number,
  role: RefRole,
  visit: (id: number, offset: number, role: RefRole, item: number) => void,
): void {
  const vlen = records.vlen(i);
  let at = records.start(i) + BTF_TYPE_SIZE + typeOffset;
  for (let item = 0; item < vlen; item++, at += itemSize) visit(records.u32(at), at, role, item);
}
