/**
 * Decides whether two types, and all types that they refer to, are the same C types.
 *
 * Source: libbpf 1.8, btf.c, `btf_dedup_is_equiv`, `btf_dedup_identical_types` and
 * `btf_dedup_merge_hypot_map`. The two graphs are walked in libbpf's order, without recursion.
 */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { RecordReader } from '#formats/btf/records.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { type AddedTypes, cannotMerge } from './add-types.ts';
import type { Signatures, Work } from './signatures.ts';

/** Values for a type without a decision and for a type in progress; lower values are type ids. */
const UNPROCESSED = 0xffffffff;
const IN_PROGRESS = 0xfffffffe;

export class CanonicalIds {
  readonly #map: Uint32Array;
  readonly #work: Work;

  constructor(endId: number, work: Work) {
    this.#map = new Uint32Array(endId).fill(UNPROCESSED);
    this.#map[0] = 0;
    this.#work = work;
  }

  set(id: number, canonical: number): void {
    this.#map[id] = canonical;
  }

  begin(id: number): void {
    this.#map[id] = IN_PROGRESS;
  }

  isBegun(id: number): boolean {
    return this.#map[id] === IN_PROGRESS;
  }

  isKnown(id: number): boolean {
    return (this.#map[id] ?? UNPROCESSED) < IN_PROGRESS;
  }

  isCanonical(id: number): boolean {
    return this.#map[id] === id;
  }

  /** Returns the canonical type of `id`: the last type in its chain of replacements. */
  resolve(id: number): number {
    let at = id;
    while (this.isKnown(at) && this.#map[at] !== at) {
      this.#work.spend(1);
      at = this.#map[at] ?? 0;
    }
    return at;
  }
}

const UNMAPPED = 0xffffffff;
/** Work counted per compared pair, in words. */
const STEP = 4;
/** Maximum depth of nested structs, prototypes and arrays when types are compared for identity. */
const MAX_DEPTH = 16;

export class Equivalence {
  readonly #records: RecordReader;
  readonly #signatures: Signatures;
  readonly #canonical: CanonicalIds;
  readonly #work: Work;
  readonly #firstOwn: number;
  readonly #endId: number;
  /** By canonical type: the type mapped to it. `#order`: the mapped canonical types, in order. */
  readonly #mapped: Uint32Array;
  #order: number[] = [];
  #needsBase = false;

  constructor(
    { records, firstOwn, endId }: AddedTypes,
    {
      signatures,
      canonical,
      work,
    }: { signatures: Signatures; canonical: CanonicalIds; work: Work },
  ) {
    this.#records = records;
    this.#signatures = signatures;
    this.#canonical = canonical;
    this.#work = work;
    this.#firstOwn = firstOwn;
    this.#endId = endId;
    this.#mapped = new Uint32Array(endId).fill(UNMAPPED);
  }

  /**
   * Returns true if `known` can replace `id`; also applies the mappings of other types that the
   * comparison found. Returns false, after applying the mappings, if a forward declaration of the
   * base would have to become a struct that is not in the base.
   */
  canReplace(known: number, id: number): boolean {
    for (const each of this.#order) this.#mapped[each] = UNMAPPED;
    this.#order = [];
    this.#needsBase = false;
    const open = [id, known];
    while (open.length > 0) {
      const knownId = open.pop() ?? 0;
      if (!this.#agree(open.pop() ?? 0, knownId, open)) return false;
    }
    this.#applyMappings();
    return !this.#needsBase;
  }

  /** Compares a pair of types. Pushes the pairs of their references to `open` in reverse order. */
  #agree(id: number, knownId: number, open: number[]): boolean {
    this.#work.spend(STEP);
    const canonical = this.#canonical;
    if (canonical.resolve(id) === canonical.resolve(knownId)) return true;
    const known = this.#resolveFwd(knownId);
    const mapped = this.#mapped[known] ?? UNMAPPED;
    if (mapped !== UNMAPPED) return mapped === id || this.#identical(mapped, id);
    this.#mapped[known] = id;
    this.#order.push(known);
    const r = this.#records;
    if (r.nameOff(id) !== r.nameOff(known)) return false;
    const kind = r.kind(id);
    const knownKind = r.kind(known);
    if (kind !== knownKind) return this.#fwdAgrees(id, kind, known, knownKind);
    switch (kind) {
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return this.#signatures.compatibleEnums(id, known);
      case BtfKind.UNKN:
      case BtfKind.VAR:
      case BtfKind.DATASEC:
      case BtfKind.DECL_TAG:
        throw cannotMerge(
          'merge',
          `The files cannot be merged: a type refers to a ${kindName(kind)}, [${id}]`,
        );
      case BtfKind.PTR:
      case BtfKind.TYPEDEF:
      case BtfKind.VOLATILE:
      case BtfKind.CONST:
      case BtfKind.RESTRICT:
      case BtfKind.FUNC:
      case BtfKind.TYPE_TAG:
        if (r.info(id) !== r.info(known)) return false;
        open.push(r.sizeOrType(id), r.sizeOrType(known));
        return true;
      default:
        if (!this.#signatures.same(id, known, false)) return false;
        this.#openReferences(id, known, open);
        return true;
    }
  }

  /** Returns true if one type is a forward declaration of the other, a struct or union. */
  #fwdAgrees(id: number, kind: number, known: number, knownKind: number): boolean {
    const r = this.#records;
    if (kind === BtfKind.FWD) return fwdKind(r, id) === knownKind;
    if (knownKind !== BtfKind.FWD || fwdKind(r, known) !== kind) return false;
    if (known < this.#firstOwn) this.#needsBase = true;
    return true;
  }

  /** Returns the struct or union to which a forward declaration was mapped; else `id`. */
  #resolveFwd(id: number): number {
    const r = this.#records;
    if (r.kind(id) !== BtfKind.FWD) return id;
    const resolved = this.#canonical.resolve(id);
    return r.kind(resolved) === BtfKind.FWD ? id : resolved;
  }

  #openReferences(id: number, known: number, open: number[]): void {
    const ids = referencesOf(this.#records, id);
    const knownIds = referencesOf(this.#records, known);
    // libbpf compares an array's index type first, other references in record order.
    if (this.#records.kind(id) === BtfKind.ARRAY) {
      ids.reverse();
      knownIds.reverse();
    }
    for (let i = ids.length - 1; i >= 0; i--) open.push(ids[i] ?? 0, knownIds[i] ?? 0);
  }

  /**
   * Returns true if two types of one file with the same canonical type are identical. For arrays it
   * compares only the number of elements, as libbpf 1.8, which takes element and index type of both
   * from the first array.
   */
  #identical(first: number, second: number): boolean {
    const r = this.#records;
    const seen = new Map<number, number>();
    const open = [first, second, MAX_DEPTH];
    while (open.length > 0) {
      const depth = open.pop() ?? 0;
      const b = open.pop() ?? 0;
      const a = open.pop() ?? 0;
      this.#work.spend(STEP);
      if (depth <= 0) return false;
      const pair = a * this.#endId + b;
      // A pair that was equal with the same or fewer remaining levels is also equal here.
      if ((seen.get(pair) ?? MAX_DEPTH + 1) <= depth) continue;
      seen.set(pair, depth);
      const kind = r.kind(a);
      if (kind !== r.kind(b) || !this.#sameButIds(a, b)) return false;
      if (kind === BtfKind.ARRAY) continue;
      if (kind === BtfKind.VAR || kind === BtfKind.DATASEC || kind === BtfKind.DECL_TAG) {
        return false;
      }
      // Pointers, typedefs and modifiers do not count as levels.
      const isLevel = isComposite(kind) || kind === BtfKind.FUNC_PROTO;
      const idsB = referencesOf(r, b);
      for (const [i, idA] of referencesOf(r, a).entries()) {
        const idB = idsB[i] ?? 0;
        if (!isLevel) open.push(idA, idB, depth);
        else if (idA !== idB) open.push(idA, idB, depth - 1);
      }
    }
    return true;
  }

  #sameButIds(a: number, b: number): boolean {
    return isEnum(this.#records.kind(a))
      ? this.#signatures.compatibleEnums(a, b)
      : this.#signatures.same(a, b, false);
  }

  /** Applies the mappings found while comparing two equivalent types. */
  #applyMappings(): void {
    const r = this.#records;
    const canonical = this.#canonical;
    for (const known of this.#order) {
      const id = canonical.resolve(this.#mapped[known] ?? 0);
      const target = canonical.resolve(known);
      const kind = r.kind(id);
      const isFwd = kind === BtfKind.FWD;
      const isTargetFwd = r.kind(target) === BtfKind.FWD;
      if (!isFwd && isTargetFwd) canonical.set(target, id);
      if (this.#needsBase || isTargetFwd) continue;
      const mayFollow = isComposite(kind) && canonical.isKnown(target) && !canonical.isKnown(id);
      if (isFwd || mayFollow) canonical.set(id, target);
    }
  }
}

/** Returns the kind that a forward declaration declares: STRUCT or UNION. */
export function fwdKind(r: RecordReader, id: number): number {
  return r.kindFlag(id) ? BtfKind.UNION : BtfKind.STRUCT;
}

/** Returns the type ids in a record, in record order. */
function referencesOf(r: RecordReader, id: number): number[] {
  const ids: number[] = [];
  r.eachReference(id, (ref) => ids.push(ref));
  return ids;
}
