/**
 * Merges the types of units: one record for each distinct type.
 *
 * Two types are equal if their contents are: names, sizes, members with their offsets, and the
 * types of members as far as their bytes are in the type itself. A type to which a pointer leads
 * is compared by kind, name, size, names and offsets of its members. Thus each type is compared
 * on its own, and the memory holds the distinct types, not those of all units.
 *
 * Contents are compared by hashes of 53 bits.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { movedParts } from './class-parts.ts';
import { ALIAS, TypeRecords } from './type-records.ts';

/** A record as a hash that is being computed: two halves of 32 bits. */
class Hash {
  #high = 0x811c9dc5 | 0;
  #low = 0x9e3779b1 | 0;

  start(): this {
    this.#high = 0x811c9dc5 | 0;
    this.#low = 0x9e3779b1 | 0;
    return this;
  }

  /** Adds 32 bits. */
  add(value: number): this {
    this.#high = Math.imul(this.#high ^ value, 0x01000193);
    this.#high ^= this.#high >>> 13;
    this.#low = Math.imul(this.#low ^ value, 0x85ebca6b);
    this.#low ^= this.#low >>> 15;
    return this;
  }

  /** Adds a number of up to 53 bits. */
  addLong(value: number): this {
    return this.add(value | 0).add(Math.floor(value / 0x1_0000_0000) | 0);
  }

  /** Returns 53 bits. */
  get value(): number {
    let high = Math.imul(this.#high ^ (this.#low >>> 16), 0xc2b2ae35);
    high ^= high >>> 16;
    let low = Math.imul(this.#low ^ (this.#high >>> 13), 0x27d4eb2f);
    low ^= low >>> 15;
    return (high >>> 0) * 0x20_0000 + (low >>> 11);
  }
}

/** Hash that stands for a type inside of itself. */
const CYCLE = 1;
const VOID = 2;

/** States of a hash in progress. */
const OPEN = -1;
const UNKNOWN = -2;

/** Computes hashes of records: of their whole content, and as a pointer sees them. */
class Hashes {
  readonly #records: TypeRecords;
  readonly #whole: Float64Array;
  readonly #pointed: Float64Array;
  readonly #hash = new Hash();
  /** Ids whose hash is needed: positive for the whole one, negative for the pointed one. */
  readonly #stack: number[] = [];

  constructor(records: TypeRecords) {
    this.#records = records;
    this.#whole = new Float64Array(records.last + 1).fill(UNKNOWN);
    this.#pointed = new Float64Array(records.last + 1).fill(UNKNOWN);
  }

  /** Returns the hash of the whole content of a record. */
  whole(id: number): number {
    if ((this.#whole[id] ?? 0) === UNKNOWN) this.#compute(id);
    return this.#whole[id] ?? 0;
  }

  /** Computes without recursion: a hash waits on the stack until those that it needs are known. */
  #compute(first: number): void {
    const stack = this.#stack;
    stack.push(first);
    for (let entry = stack.at(-1); entry !== undefined; entry = stack.at(-1)) {
      const isWhole = entry > 0;
      const id = Math.abs(entry);
      const known = isWhole ? this.#whole : this.#pointed;
      const state = known[id] ?? 0;
      if (state === UNKNOWN) {
        known[id] = OPEN;
        this.#pushNeeds(id, isWhole);
        continue;
      }
      stack.pop();
      if (state === OPEN) known[id] = this.#hashOf(id, isWhole);
    }
  }

  #pushNeeds(id: number, isWhole: boolean): void {
    const { ref, firstItem, itemCount, itemRef, kind } = this.#records;
    const own = kind[id] ?? 0;
    this.#push(ref[id] ?? 0, isWhole && !isShallow(own));
    if (isFlat(own) && !isWhole) return;
    const first = firstItem[id] ?? 0;
    const end = first + (itemCount[id] ?? 0);
    for (let item = first; item < end; item++) {
      this.#push(itemRef[item] ?? 0, isWhole && !isShallow(own));
    }
  }

  #push(id: number, isWhole: boolean): void {
    if (id === 0 || ((isWhole ? this.#whole : this.#pointed)[id] ?? 0) !== UNKNOWN) return;
    this.#stack.push(isWhole ? id : -id);
  }

  #hashOf(id: number, isWhole: boolean): number {
    const r = this.#records;
    const kind = r.kind[id] ?? 0;
    const isWholeRef = isWhole && !isShallow(kind);
    const ref = r.ref[id] ?? 0;
    if (kind === ALIAS) return this.#known(ref, isWhole);
    const hash = this.#hash.start();
    hash
      .add(kind)
      .add(r.name[id] ?? 0)
      .add(r.flag[id] ?? 0);
    hash.addLong(r.value[id] ?? 0).addLong(this.#known(ref, isWholeRef));
    const withTypes = isWhole || !isFlat(kind);
    const first = r.firstItem[id] ?? 0;
    const end = first + (r.itemCount[id] ?? 0);
    for (let item = first; item < end; item++) {
      hash
        .add(r.itemName[item] ?? 0)
        .add(r.itemLow[item] ?? 0)
        .add(r.itemHigh[item] ?? 0);
      if (withTypes) hash.addLong(this.#known(r.itemRef[item] ?? 0, isWholeRef));
    }
    return hash.value;
  }

  #known(id: number, isWhole: boolean): number {
    if (id === 0) return VOID;
    const hash = (isWhole ? this.#whole : this.#pointed)[id] ?? CYCLE;
    return hash < 0 ? CYCLE : hash;
  }
}

/** True for kinds that see the types to which they refer as a pointer does. */
function isShallow(kind: number): boolean {
  return kind === BtfKind.PTR || kind === BtfKind.FUNC_PROTO;
}

/** True for kinds that a pointer sees without the types of their members. */
function isFlat(kind: number): boolean {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION;
}

/** Collects distinct types. */
export class MergedTypes {
  readonly records = new TypeRecords();
  readonly #ids = new Map<number, number>();

  /** Adds records. Returns their ids in `this.records`, by id. */
  add(batch: TypeRecords): Uint32Array {
    const hashes = new Hashes(batch);
    const ids = new Uint32Array(batch.last + 1);
    const added: number[] = [];
    for (let id = 1; id <= batch.last; id++) {
      if (batch.kind[id] === ALIAS) continue;
      const hash = hashes.whole(id);
      const known = this.#ids.get(hash);
      if (known !== undefined) {
        ids[id] = known;
        continue;
      }
      const own = this.records.reserve(batch.die[id] ?? 0);
      this.#ids.set(hash, own);
      ids[id] = own;
      added.push(id);
    }
    for (let id = 1; id <= batch.last; id++) {
      if (batch.kind[id] === ALIAS) ids[id] = ids[endOfAlias(batch, id)] ?? 0;
    }
    for (const id of added) this.#copy(batch, id, ids);
    return ids;
  }

  #copy(batch: TypeRecords, id: number, ids: Uint32Array): void {
    const own = ids[id] ?? 0;
    this.records.set(own, {
      kind: batch.kind[id] ?? 0,
      name: batch.name[id] ?? 0,
      flag: batch.flag[id] === 1,
      value: batch.value[id] ?? 0,
      ref: ids[batch.ref[id] ?? 0] ?? 0,
    });
    const parts = batch.parts.get(id);
    if (parts !== undefined) this.records.parts.set(own, movedParts(parts, ids));
    const first = batch.firstItem[id] ?? 0;
    const end = first + (batch.itemCount[id] ?? 0);
    for (let item = first; item < end; item++) {
      this.records.addItem(
        own,
        batch.itemName[item] ?? 0,
        ids[batch.itemRef[item] ?? 0] ?? 0,
        batch.itemLow[item] ?? 0,
        batch.itemHigh[item] ?? 0,
        batch.itemEntry[item] ?? 0,
      );
      const discriminant = batch.discriminants.get(item);
      if (discriminant !== undefined) {
        this.records.discriminants.set(this.records.itemName.length - 1, discriminant);
      }
    }
  }
}

/** Longest chain of aliases that is followed. */
const MAX_ALIASES = 64;

/** Returns the type that an alias stands for; 0 for void and a cycle. */
function endOfAlias(records: TypeRecords, id: number): number {
  let at = id;
  for (let steps = 0; steps < MAX_ALIASES; steps++) {
    if (at === 0 || records.kind[at] !== ALIAS) return at;
    at = records.ref[at] ?? 0;
  }
  return 0;
}

/**
 * Puts definitions in the place of forward declarations, and merges what thereby becomes equal. A
 * declaration whose name has several definitions stays. Returns the new ids by id.
 */
export function resolveForwards(merged: MergedTypes): {
  readonly merged: MergedTypes;
  readonly ids: Uint32Array;
} {
  const { records } = merged;
  const { kind, name, flag, ref } = records;
  const key = (id: number, isUnion: boolean) => 2 * (name[id] ?? 0) + (isUnion ? 1 : 0);
  const definitions = new Map<number, number>();
  for (let id = 1; id <= records.last; id++) {
    if (kind[id] !== BtfKind.STRUCT && kind[id] !== BtfKind.UNION) continue;
    if (name[id] === 0) continue;
    const own = key(id, kind[id] === BtfKind.UNION);
    definitions.set(own, definitions.has(own) ? 0 : id);
  }
  for (let id = 1; id <= records.last; id++) {
    if (kind[id] !== BtfKind.FWD) continue;
    const definition = definitions.get(key(id, flag[id] === 1)) ?? 0;
    if (definition === 0) continue;
    kind[id] = ALIAS;
    ref[id] = definition;
  }
  const again = new MergedTypes();
  return { merged: again, ids: again.add(records) };
}
