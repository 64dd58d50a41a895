/** What every lint pass over the types reads. */
import { approximateSizes, sizeOf } from '#analysis/types/sizes.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { Finding, IssueCollector } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { BTF_TYPE_SIZE, kindName } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, lastId, type TypeTable } from '#model/type-table.ts';
import type { NameCheck } from './names.ts';

export type TypeSubject = {
  readonly records: BlobRecords;
  readonly sizes: TypeSizes;
  readonly names: NameCheck;
  readonly issues: IssueCollector;
};

/** Number of records that a pass checks between two yields. */
export const RECORDS_PER_STEP = 4096;

/** Sizes of types in bytes: computed at once for the table, and on access for its base. */
export class TypeSizes {
  readonly #types: TypeTable;
  readonly #own: Float64Array;
  readonly #ofBase = new Map<number, number>();

  constructor(types: TypeTable) {
    this.#types = types;
    this.#own = approximateSizes(types);
  }

  /** Returns the size of `id`, rounded above 2^53; `NaN` if it is missing or has no size. */
  of(id: number): number {
    const { firstId, base } = this.#types;
    if (id >= firstId) return this.#own[id - firstId] ?? NaN;
    if (base === null) return NaN;
    return getOrCreate(this.#ofBase, id, () => Number(sizeOf(base, typeId(id)) ?? NaN));
  }
}

/** Records of a type table without its base, with their kinds. Record `i` has id `firstId + i`. */
export class BlobRecords extends RecordReader {
  readonly types: TypeTable;
  readonly firstId: number;
  readonly lastId: number;
  readonly kinds: Uint8Array;

  constructor(types: TypeTable) {
    super(types);
    this.types = types;
    this.firstId = types.firstId;
    this.lastId = lastId(types);
    this.kinds = new Uint8Array(types.count);
    for (let i = 0; i < types.count; i++) this.kinds[i] = this.kind(i);
  }

  /** Returns the kind of a type of the table or base; -1 for void and for missing types. */
  kindOf(id: number): number {
    if (id >= this.firstId) return this.kinds[id - this.firstId] ?? -1;
    return id === 0 || this.types.base === null ? -1 : kindOf(this.types.base, typeId(id));
  }

  /** Returns the file span of `length` bytes at `offset` of the blob; null if there is none. */
  span(offset: number, length: number): Span | null {
    const { fileOffset } = this.types;
    return fileOffset === null ? null : spanOf(fileOffset + offset, length);
  }

  /** Returns the file span of the first 12 bytes of record `i`. */
  headSpan(i: number): Span | null {
    return this.span(this.start(i), BTF_TYPE_SIZE);
  }
}

/** Returns the name of record `i` for a message: `type [4]`. */
export function typeLabel(records: BlobRecords, i: number): string {
  return `type [${records.firstId + i}]`;
}

/** A finding that does not have its place yet. */
type FindingText = Omit<Finding, 'span'> & { readonly message: string };

/** Record `i` in a lint pass, with a method to report a broken rule. */
export class LintRecord {
  readonly records: BlobRecords;
  readonly sizes: TypeSizes;
  readonly names: NameCheck;
  readonly i: number;
  readonly kind: number;
  readonly #issues: IssueCollector;

  constructor({ records, sizes, names, issues }: TypeSubject, i: number) {
    this.records = records;
    this.sizes = sizes;
    this.names = names;
    this.i = i;
    this.kind = records.kinds[i] ?? 0;
    this.#issues = issues;
  }

  get label(): string {
    return typeLabel(this.records, this.i);
  }

  get kindName(): string {
    return kindName(this.kind);
  }

  get vlen(): number {
    return this.records.vlen(this.i);
  }

  get kindFlag(): boolean {
    return this.records.kindFlag(this.i);
  }

  get sizeOrType(): number {
    return this.records.sizeOrType(this.i);
  }

  /** Offset of the record in the blob. */
  get start(): number {
    return this.records.start(this.i);
  }

  /** Offset in the blob of what follows the first 12 bytes of the record. */
  get tail(): number {
    return this.start + BTF_TYPE_SIZE;
  }

  /** Returns the offset in the blob of an item of the record. */
  item(index: number): number {
    return this.records.itemStart(this.i, index);
  }

  /** Adds a finding on `length` bytes at blob offset `at`. Calls `tell` if the finding is kept. */
  odd(code: string, at: number, tell: () => FindingText, length = 4): void {
    this.#issues.add(code, () => ({ span: this.records.span(at, length), ...tell() }));
  }
}

/** Returns a lint pass that calls `check` for each record. */
export function perRecord(check: (r: LintRecord) => void) {
  return function* (subject: TypeSubject): Generator<void> {
    let work = 0;
    for (let i = 0; i < subject.records.count; i++) {
      check(new LintRecord(subject, i));
      work += 1 + subject.records.vlen(i);
      if (work <= RECORDS_PER_STEP) continue;
      work = 0;
      yield;
    }
  };
}
