/**
 * Hashes and compares records, whole or without their type ids.
 *
 * Source: libbpf, btf.c, `btf_equal_common`, `btf_equal_int_tag`, `btf_equal_enum`,
 * `btf_compat_enum`, `btf_shallow_equal_struct`, `btf_equal_typedef`, `btf_equal_array`,
 * `btf_compat_array`, `btf_equal_fnproto`, `btf_compat_fnproto`.
 */
import { BTF_KIND_MAX, type BtfStruct, kindSpec, thirdWordRole } from '#formats/btf/kinds.ts';
import type { RecordReader } from '#formats/btf/records.ts';
import { isEnum } from '#model/type-items.ts';
import { type AddedTypes, cannotMerge } from './add-types.ts';

/** Words of a record that contain type ids, by kind; item words repeat for each item. */
type IdWords = {
  readonly head: readonly boolean[];
  readonly item: readonly boolean[];
};

const ID_WORDS: readonly IdWords[] = Array.from({ length: BTF_KIND_MAX + 1 }, (_, kind) => {
  const { fixed = null, item = null } = kindSpec(kind) ?? {};
  return {
    head: [false, false, thirdWordRole(kind) !== null, ...idsOf(fixed)],
    item: idsOf(item),
  };
});

function idsOf(struct: BtfStruct | null): boolean[] {
  return (struct?.fields ?? []).map(({ holds }) => holds === 'type');
}

/** Maximum number of compared words per input word. The 64 largest modules of a kernel need 79. */
const MAX_PER_WORD = 256;
/** Number of compared words that is allowed in addition, so that small files can be merged. */
const MAX_EXTRA_WORDS = 1 << 22;

/** Limit on the number of compared words. */
export class Work {
  #left: number;

  /** `words`: total number of words in all records. */
  constructor(words: number) {
    this.#left = MAX_EXTRA_WORDS + MAX_PER_WORD * words;
  }

  /** Counts compared words. Throws `Malformed` once the limit is exceeded. */
  spend(words: number): void {
    this.#left -= words;
    if (this.#left < 0)
      throw cannotMerge('merge', 'The files cannot be merged: too many comparisons');
  }
}

export class Signatures {
  readonly #records: RecordReader;
  /** Words of all records in the byte order of this machine: only their equality matters. */
  readonly #words: Uint32Array;
  readonly #work: Work;

  /** The records must begin at the first byte of a buffer. */
  constructor({ records, bytes }: Pick<AddedTypes, 'records' | 'bytes'>, work: Work) {
    this.#records = records;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    this.#work = work;
  }

  /** Returns the hash of a record. `whole`: include its type ids. */
  hash(id: number, whole: boolean): number {
    const r = this.#records;
    const { head, item } = ID_WORDS[r.kind(id)] ?? NO_WORDS;
    const start = r.start(id) >>> 2;
    const words = (r.start(id + 1) >>> 2) - start;
    this.#work.spend(words);
    let hash = 0;
    for (let w = 0; w < words; w++) {
      if (!whole && isId(head, item, w)) continue;
      hash = (Math.imul(hash, 31) + (this.#words[start + w] ?? 0)) | 0;
    }
    return hash;
  }

  /** Returns true if the records `a` and `b` are equal. `whole`: compare also their type ids. */
  same(a: number, b: number, whole: boolean): boolean {
    const r = this.#records;
    const all = this.#words;
    const startA = r.start(a) >>> 2;
    const startB = r.start(b) >>> 2;
    // Records with equal second words have equal lengths.
    if (all[startA] !== all[startB] || all[startA + 1] !== all[startB + 1]) return false;
    const { head, item } = ID_WORDS[r.kind(a)] ?? NO_WORDS;
    const words = (r.start(a + 1) >>> 2) - startA;
    for (let w = 2; w < words; w++) {
      if (all[startA + w] === all[startB + w]) continue;
      if (!whole && isId(head, item, w)) continue;
      this.#work.spend(w);
      return false;
    }
    this.#work.spend(words);
    return true;
  }

  /** Returns the hash of an enum's name alone: an enum without values must have the same hash. */
  enumHash(id: number): number {
    return Math.imul(this.#records.nameOff(id), 31);
  }

  /** Returns true for an enum without values, which matches every enum with its name. */
  isEnumFwd(id: number): boolean {
    return isEnum(this.#records.kind(id)) && this.#records.vlen(id) === 0;
  }

  /** Returns true if `a` and `b` are equal enums, or equally named and one has no values. */
  compatibleEnums(a: number, b: number): boolean {
    if (!this.isEnumFwd(a) && !this.isEnumFwd(b)) return this.same(a, b, true);
    const r = this.#records;
    return r.nameOff(a) === r.nameOff(b) && isEnum(r.kind(a)) && isEnum(r.kind(b));
  }
}

const NO_WORDS: IdWords = { head: [], item: [] };

function isId(head: readonly boolean[], item: readonly boolean[], word: number): boolean {
  const inItems = word - head.length;
  return (inItems < 0 ? head[word] : item[inItems % item.length]) ?? false;
}

const NO_TYPE = 0;

/**
 * Canonical types by hash, in the order of libbpf's hash map (hashmap.c, `hashmap_insert`,
 * `hashmap_grow`). The order decides which candidate matches first: a new type comes first in its
 * bucket, and growing the map reverses each bucket.
 */
export class Candidates {
  readonly #first = new Map<number, number>();
  readonly #next: Uint32Array;
  #size = 0;
  #capacity = 0;

  constructor(endId: number) {
    this.#next = new Uint32Array(endId);
  }

  /** Adds a type, which must be new. `hash` comes from `Signatures`. */
  add(hash: number, id: number): void {
    const isFull = Math.floor(((this.#size + 1) * 4) / 3) > this.#capacity;
    if (isFull) this.#grow();
    this.#size += 1;
    this.#next[id] = this.#first.get(hash) ?? NO_TYPE;
    this.#first.set(hash, id);
  }

  /** Yields the types with this hash, even if their records differ. */
  *of(hash: number): Generator<number, void, void> {
    for (
      let id = this.#first.get(hash) ?? NO_TYPE;
      id !== NO_TYPE;
      id = this.#next[id] ?? NO_TYPE
    ) {
      yield id;
    }
  }

  #grow(): void {
    this.#capacity = Math.max(4, this.#capacity * 2);
    for (const [hash, first] of this.#first) {
      let reversed = NO_TYPE;
      for (let id = first; id !== NO_TYPE; ) {
        const next = this.#next[id] ?? NO_TYPE;
        this.#next[id] = reversed;
        reversed = id;
        id = next;
      }
      this.#first.set(hash, reversed);
    }
  }
}
