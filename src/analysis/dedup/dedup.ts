/**
 * Merges split BTFs with the same base into one, as libbpf 1.8 (btf.c, `btf__dedup`). The passes
 * are: types without references, structs and typedefs, forward declarations, other references.
 */
import { BTF_HEADER_SIZE } from '#formats/btf/header.ts';
import { BTF_MAGIC, BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { RecordReader } from '#formats/btf/records.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { standingOn, type TypeTable } from '#model/type-table.ts';
import {
  type AddedTypes,
  addTypes,
  cannotMerge,
  eachMovedId,
  type SplitFile,
} from './add-types.ts';
import { CanonicalIds, Equivalence, fwdKind } from './equivalence.ts';
import { Candidates, Signatures, Work } from './signatures.ts';

/** Merges `files` on `base`. Throws `Malformed` if libbpf rejects a file or needs too long. */
export function mergeSplit(base: SplitFile, files: readonly SplitFile[]): TypeTable {
  return dedupTypes(addTypes(base, files)).types;
}

export type DedupedTypes = {
  readonly types: TypeTable;
  /** New id of each type by its old one. */
  readonly newIds: Uint32Array;
  /** Old id of each remaining type, in the order of the new ids. */
  readonly keptIds: readonly number[];
};

/** Merges equal types of `added`, whose bytes it changes. Throws `Malformed` as `mergeSplit`. */
export function dedupTypes(added: AddedTypes): DedupedTypes {
  return new Dedup(added).run();
}

class Dedup {
  readonly #added: AddedTypes;
  readonly #records: RecordReader;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #signatures: Signatures;
  readonly #canonical: CanonicalIds;
  readonly #candidates: Candidates;
  readonly #equivalence: Equivalence;
  readonly #work: Work;

  constructor(added: AddedTypes) {
    const work = new Work(added.bytes.length / 4);
    this.#work = work;
    this.#added = added;
    this.#records = added.records;
    this.#view = new DataView(added.bytes.buffer);
    this.#little = added.base.endian === 'little';
    this.#signatures = new Signatures(added, work);
    this.#canonical = new CanonicalIds(added.endId, work);
    this.#candidates = new Candidates(added.endId);
    this.#equivalence = new Equivalence(added, {
      signatures: this.#signatures,
      canonical: this.#canonical,
      work,
    });
  }

  run(): DedupedTypes {
    const { firstOwn, endId } = this.#added;
    for (let id = 1; id < firstOwn; id++) this.#addBase(id);
    for (let id = firstOwn; id < endId; id++) this.#dedupPlain(id);
    for (let id = firstOwn; id < endId; id++) this.#dedupStruct(id);
    this.#resolveFwds();
    for (let id = firstOwn; id < endId; id++) this.#dedupReference(id);
    return this.#compact();
  }

  /** Adds a type of the base, which never changes. VAR and DATASEC are never merged. */
  #addBase(id: number): void {
    const kind = this.#records.kind(id);
    this.#canonical.set(id, id);
    if (kind === BtfKind.VAR || kind === BtfKind.DATASEC) return;
    this.#candidates.add(this.#hash(id, kind), id);
  }

  #hash(id: number, kind: number): number {
    if (isEnum(kind)) return this.#signatures.enumHash(id);
    return this.#signatures.hash(id, !isStructPass(kind));
  }

  /** Merges INT, FLOAT, FWD, ENUM and ENUM64; keeps VAR and DATASEC. */
  #dedupPlain(id: number): void {
    const kind = this.#records.kind(id);
    const isPlain = kind === BtfKind.INT || kind === BtfKind.FLOAT || kind === BtfKind.FWD;
    if (kind === BtfKind.VAR || kind === BtfKind.DATASEC) {
      this.#canonical.set(id, id);
    } else if (isPlain || isEnum(kind)) {
      const hash = this.#hash(id, kind);
      this.#settle(id, hash, isPlain ? this.#sameWhole(id, hash) : this.#sameEnum(id, hash));
    }
  }

  /** Maps `id` to `canonicalId`. If both are equal, `id` becomes a candidate for later types. */
  #settle(id: number, hash: number, canonicalId: number): void {
    this.#canonical.set(id, canonicalId);
    if (canonicalId === id) this.#candidates.add(hash, id);
  }

  /** Returns the first candidate with an equal record; `id` if no candidate is equal. */
  #sameWhole(id: number, hash: number): number {
    for (const each of this.#candidates.of(hash)) {
      this.#work.spend(1);
      if (this.#signatures.same(id, each, true)) return each;
    }
    return id;
  }

  /** Returns an equal enum; for an enum without values any enum with its name; else `id`. */
  #sameEnum(id: number, hash: number): number {
    const s = this.#signatures;
    const isFwd = s.isEnumFwd(id);
    for (const each of this.#candidates.of(hash)) {
      this.#work.spend(1);
      if (s.same(id, each, true)) return each;
      if (!(isFwd || s.isEnumFwd(each)) || !s.compatibleEnums(id, each)) continue;
      if (isFwd) return each;
      this.#canonical.set(each, id);
    }
    return id;
  }

  #dedupStruct(id: number): void {
    const kind = this.#records.kind(id);
    if (!isStructPass(kind) || this.#canonical.isKnown(id)) return;
    const hash = this.#hash(id, kind);
    let canonicalId = id;
    for (const candidate of this.#candidates.of(hash)) {
      this.#work.spend(1);
      if (!this.#signatures.same(id, candidate, false)) continue;
      if (!this.#equivalence.canReplace(candidate, id)) continue;
      canonicalId = candidate;
      break;
    }
    this.#settle(id, hash, canonicalId);
  }

  /** Maps a forward declaration to the struct or union with its name, if only one exists. */
  #resolveFwds(): void {
    const { firstOwn, endId } = this.#added;
    const r = this.#records;
    const canonical = this.#canonical;
    const named = new Map<number, number>();
    for (let id = 1; id < endId; id++) {
      const kind = r.kind(id);
      if (!isComposite(kind) || !canonical.isCanonical(id)) continue;
      const name = r.nameOff(id);
      named.set(name, named.has(name) ? 0 : id);
    }
    for (let id = firstOwn; id < endId; id++) {
      if (r.kind(id) !== BtfKind.FWD || !canonical.isCanonical(id)) continue;
      const struct = named.get(r.nameOff(id)) ?? 0;
      if (struct !== 0 && r.kind(struct) === fwdKind(r, id)) canonical.set(id, struct);
    }
  }

  /** Merges a type after the types that it refers to. */
  #dedupReference(first: number): void {
    const canonical = this.#canonical;
    const open: Frame[] = [];
    const enter = (id: number) => {
      canonical.begin(id);
      open.push({ id, at: this.#referencePlaces(id), next: 0 });
    };
    if (!canonical.isKnown(first)) enter(first);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const place = frame.at[frame.next];
      if (place === undefined) {
        const hash = this.#signatures.hash(frame.id, true);
        this.#settle(frame.id, hash, this.#sameWhole(frame.id, hash));
        open.pop();
        continue;
      }
      const id = this.#records.u32(place);
      if (canonical.isBegun(id)) {
        const kind = kindName(this.#records.kind(id));
        throw cannotMerge(
          'merge',
          `The files cannot be merged: a ${kind} refers to itself without a struct or typedef between`,
        );
      }
      if (canonical.isKnown(id)) {
        this.#setId(place, canonical.resolve(id));
        frame.next += 1;
      } else {
        enter(id);
      }
    }
  }

  #referencePlaces(id: number): number[] {
    const places: number[] = [];
    this.#records.eachReference(id, (_, at) => places.push(at));
    return places;
  }

  #setId(at: number, id: number): void {
    this.#view.setUint32(at, id, this.#little);
  }

  /** Returns the table of all canonical types with new ids. */
  #compact(): DedupedTypes {
    const { firstOwn, endId, base, bytes, strings } = this.#added;
    const r = this.#records;
    const newIds = new Uint32Array(endId);
    const remaining: number[] = [];
    let length = 0;
    for (let id = 0; id < firstOwn; id++) newIds[id] = id;
    for (let id = firstOwn; id < endId; id++) {
      if (!this.#canonical.isCanonical(id)) continue;
      newIds[id] = firstOwn + remaining.length;
      remaining.push(id);
      length += r.start(id + 1) - r.start(id);
    }
    for (const id of remaining) {
      eachMovedId(r, id, (ref, at) => {
        this.#setId(at, newIds[this.#canonical.resolve(ref)] ?? 0);
      });
    }
    const strStart = BTF_HEADER_SIZE + length;
    const blob = new Uint8Array(strStart + strings.length);
    const recordOff = new Uint32Array(remaining.length + 1);
    recordOff[0] = BTF_HEADER_SIZE;
    remaining.forEach((id, i) => {
      const record = bytes.subarray(r.start(id), r.start(id + 1));
      const at = recordOff[i] ?? 0;
      blob.set(record, at);
      recordOff[i + 1] = at + record.length;
    });
    strings.writeTo(blob, strStart);
    writeHeader(blob, this.#little, length, strings.length);
    for (let id = firstOwn; id < endId; id++) {
      newIds[id] = newIds[this.#canonical.resolve(id)] ?? 0;
    }
    const types = {
      ...standingOn(base),
      blob,
      count: remaining.length,
      recordOff,
      strStart,
      strEnd: blob.length,
    };
    return { types, newIds, keptIds: remaining };
  }
}

type Frame = { readonly id: number; readonly at: readonly number[]; next: number };

/** Returns true if libbpf first compares records of this kind without their type ids. */
function isStructPass(kind: number): boolean {
  return isComposite(kind) || kind === BtfKind.TYPEDEF;
}

function writeHeader(
  blob: Uint8Array<ArrayBuffer>,
  little: boolean,
  types: number,
  strings: number,
) {
  const view = new DataView(blob.buffer);
  view.setUint16(0, BTF_MAGIC, little);
  view.setUint8(2, 1);
  [BTF_HEADER_SIZE, 0, types, types, strings].forEach((value, i) => {
    view.setUint32(4 + 4 * i, value, little);
  });
}
