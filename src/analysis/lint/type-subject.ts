/** What every pass over the types is given. */

import { approximateSizes, sizeOf } from '#analysis/types/sizes.ts';
import type { Span } from '#bytes/span.ts';
import { BTF_TYPE_SIZE, type ReferenceRole } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import type { Collected } from './collected.ts';
import type { NameCheck } from './name-check.ts';

export type TypeSubject = {
  readonly records: BlobRecords;
  readonly sizes: TypeSizes;
  readonly names: NameCheck;
  readonly found: Collected;
};

/** Passes yield once for so many records. */
export const RECORDS_PER_STEP = 4096;

/** Sizes in bytes for a pass that asks for many: own types at once, those of the base as they come. */

export class TypeSizes {
  readonly #types: TypeTable;
  readonly #own: Float64Array;
  readonly #ofBase = new Map<number, number>();

  constructor(types: TypeTable) {
    this.#types = types;
    this.#own = approximateSizes(types);
  }

  /** `NaN` for what has no size, or is not there; rounded above 2^53. */
  of(id: number): number {
    const { firstId, base } = this.#types;
    if (id >= firstId) return this.#own[id - firstId] ?? NaN;
    if (base === null) return NaN;
    let size = this.#ofBase.get(id);
    if (size === undefined) {
      const exact = sizeOf(base, typeId(id));
      size = exact === null ? NaN : Number(exact);
      this.#ofBase.set(id, size);
    }
    return size;
  }
}

/**
 * The own records of a type table, with the kind of each and where they are in the file.
 */

/** Record `i` has id `firstId + i`. */
export class BlobRecords extends RecordReader {
  readonly types: TypeTable;
  readonly firstId: number;
  readonly lastId: number;
  /** Kind of each own record. */
  readonly kinds: Uint8Array;

  constructor(types: TypeTable) {
    super(types);
    this.types = types;
    this.firstId = types.firstId;
    this.lastId = lastId(types);
    this.kinds = new Uint8Array(types.count);
    for (let i = 0; i < types.count; i++) this.kinds[i] = this.kind(i);
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
}

/** `type [4]`. */
export function typeLabel(records: BlobRecords, i: number): string {
  return `type [${records.firstId + i}]`;
}

/** Where a type refers to another, as messages name it. */
export type RefRole = 'type' | 'element' | 'index' | 'member' | 'argument' | 'result' | 'variable';

const ROLE_TEXT: Readonly<Record<ReferenceRole, RefRole>> = {
  type: 'type',
  target: 'type',
  element: 'element',
  index: 'index',
  member: 'member',
  param: 'argument',
  return: 'result',
  var: 'variable',
};

/** Calls `visit` for every reference of record `i`: the id, its offset in the blob, its role, and the number of the item. */
export function eachReference(
  records: BlobRecords,
  i: number,
  visit: (id: number, offset: number, role: RefRole, item: number) => void,
): void {
  records.eachReference(i, (id, offset, role, item) => visit(id, offset, ROLE_TEXT[role], item));
}
