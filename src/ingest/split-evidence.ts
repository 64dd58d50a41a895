/**
 * Evidence in split BTF about its base: the ids and string offsets in use, and the types and
 * strings that need a reference. Source: "BTF Type Format", sections 2.2 and 4.4.
 */
import { BTF_KIND_MAX, BTF_TYPE_SIZE, BtfKind, type ReferenceRole } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';

/** Kinds are bits; bit 31 is 31 and all kinds above. Unknown kinds may be anything. */
const UNKNOWN_KINDS = -1 << (BTF_KIND_MAX + 1);

/** Kinds that a reference may lead to, by the referring record. */
const TARGETS = {
  func: (1 << BtfKind.FUNC_PROTO) | UNKNOWN_KINDS,
  datasec: (1 << BtfKind.VAR) | UNKNOWN_KINDS,
  location: 1 << BtfKind.LOC_PARAM,
  locations: 1 << BtfKind.LOC_PROTO,
  function: 1 << BtfKind.FUNC,
  declTag:
    (1 << BtfKind.STRUCT) |
    (1 << BtfKind.UNION) |
    (1 << BtfKind.FUNC) |
    (1 << BtfKind.VAR) |
    (1 << BtfKind.TYPEDEF) |
    UNKNOWN_KINDS,
  other: ~(
    (1 << BtfKind.FUNC) |
    (1 << BtfKind.VAR) |
    (1 << BtfKind.DATASEC) |
    (1 << BtfKind.DECL_TAG) |
    (1 << BtfKind.LOC_PARAM) |
    (1 << BtfKind.LOC_PROTO) |
    (1 << BtfKind.LOCSEC)
  ),
} as const;

/** Larger ids count as damage: no allocation may grow with them. */
const MAX_ID = 1 << 24;

export type SplitEvidence = {
  /** Number of types of the split BTF that could be read. */
  readonly count: number;
  /** Upper bound of the number of types: more than `count` if the walk stopped. */
  readonly countLimit: number;
  /** Kind bit of each type of the split BTF. */
  readonly kindBit: Int32Array;
  /** Need of a reference for each type: 2 = must be referred to, 1 = should be, 0 = may be unused. */
  readonly wanted: Uint8Array;
  /** Number of types of which `wanted` is 2. */
  readonly mustCount: number;
  /** Distinct ids in use, descending. */
  readonly refs: Uint32Array;
  /** Kinds that all references to the id in `refs` allow. */
  readonly refKinds: Int32Array;
  /** Number of references to ids so large that they are damage; `refs` does not have them. */
  readonly damaged: number;
  /** Number of types that would refer to themselves, by first id. Valid types never do. */
  readonly selfRefs: ReadonlyMap<number, number>;
  /** Distinct ids in DATASECs, ascending: variables are never in the base. */
  readonly varRefs: Uint32Array;
  /** Distinct string offsets other than 0, ascending. */
  readonly names: Uint32Array;
  /** Offsets in the string section of the split BTF of non-empty strings, ascending. */
  readonly starts: Uint32Array;
  readonly strLen: number;
};

/** Gathers the evidence of `types`, for any `firstId` and `strBase`; `unread` = bytes of types after the last type. */
export function gatherEvidence(types: TypeTable, unread: number): SplitEvidence {
  const own: TypeTable = { ...types, firstId: 1, strBase: 0, base: null };
  const words = (own.recordOff[own.count] ?? 0) - (own.recordOff[0] ?? 0);
  const columns = new EvidenceColumns(own, Math.max(0, Math.floor(words / 4)));
  for (let id = 1; id <= own.count; id++) columns.add(id);
  return {
    ...columns.result(),
    count: own.count,
    countLimit: own.count + Math.floor(unread / BTF_TYPE_SIZE),
    ...startsOf(own),
  };
}

/** Columns that grow with each type. The size of the type section bounds them. */
class EvidenceColumns {
  readonly #types: TypeTable;
  readonly #records: RecordReader;
  readonly #kindBit: Int32Array;
  readonly #wanted: Uint8Array;
  readonly #names: Uint32Array;
  readonly #refs: Uint32Array;
  readonly #refKinds: Int32Array;
  readonly #varRefs: number[] = [];
  readonly #selfRefs = new Map<number, number>();
  /** Number of the type being added, from 0. */
  #index = 0;
  #mustCount = 0;
  #damaged = 0;
  #nameCount = 0;
  #refCount = 0;

  constructor(types: TypeTable, words: number) {
    this.#types = types;
    const { count } = types;
    this.#records = new RecordReader(types);
    this.#kindBit = new Int32Array(count);
    this.#wanted = new Uint8Array(count);
    this.#names = new Uint32Array(words);
    this.#refs = new Uint32Array(words);
    this.#refKinds = new Int32Array(words);
  }

  add(id: number): void {
    const types = this.#types;
    const type = typeId(id);
    this.#index = id - 1;
    const kind = kindOf(types, type);
    const named = nameOffOf(types, type) !== 0;
    const wanted = wantedOf(kind, named);
    this.#kindBit[id - 1] = 1 << Math.min(kind, 31);
    this.#wanted[id - 1] = wanted;
    if (wanted === 2) this.#mustCount++;
    this.#records.eachName(this.#index, this.#name);
    this.#records.eachReference(this.#index, (ref, _offset, role) => {
      this.#ref(ref, allowedKinds(kind, role));
      if (role === 'var') this.#varRefs.push(ref);
    });
  }

  result() {
    const names = distinct(this.#names.subarray(0, this.#nameCount));
    const varRefs = distinct(Uint32Array.from(this.#varRefs));
    return {
      kindBit: this.#kindBit,
      wanted: this.#wanted,
      mustCount: this.#mustCount,
      damaged: this.#damaged,
      selfRefs: this.#selfRefs,
      names,
      varRefs,
      ...this.#distinctRefs(),
    };
  }

  /** Returns the distinct ids, descending, with the kinds that all of their references allow. */
  #distinctRefs() {
    const refs = distinct(this.#refs.subarray(0, this.#refCount)).reverse();
    const refKinds = new Int32Array(refs.length).fill(-1);
    const place = new Map<number, number>();
    for (const [i, ref] of refs.entries()) place.set(ref, i);
    for (let i = 0; i < this.#refCount; i++) {
      const at = place.get(this.#refs[i] ?? 0) ?? 0;
      refKinds[at] = (refKinds[at] ?? 0) & (this.#refKinds[i] ?? 0);
    }
    return { refs, refKinds };
  }

  readonly #name = (name: number): void => {
    if (name !== 0) this.#names[this.#nameCount++] = name;
  };

  #ref(ref: number, kinds: number): void {
    if (ref > MAX_ID) this.#damaged++;
    if (ref === 0 || ref > MAX_ID) return;
    const selfFirst = ref - this.#index;
    if (selfFirst > 0) this.#selfRefs.set(selfFirst, (this.#selfRefs.get(selfFirst) ?? 0) + 1);
    this.#refs[this.#refCount] = ref;
    this.#refKinds[this.#refCount++] = kinds;
  }
}

/** Returns the kinds that a reference in a record of `kind` may lead to, as bits. */
function allowedKinds(kind: number, role: ReferenceRole): number {
  if (kind === BtfKind.FUNC) return TARGETS.func;
  switch (role) {
    case 'target':
      return TARGETS.declTag;
    case 'var':
      return TARGETS.datasec;
    case 'location':
    case 'locations':
    case 'function':
      return TARGETS[role];
    default:
      return TARGETS.other;
  }
}

/** Returns the need of a reference: compilers and pahole write some kinds only for a reference. */
function wantedOf(kind: number, named: boolean): 0 | 1 | 2 {
  switch (kind) {
    case BtfKind.FUNC_PROTO:
    case BtfKind.VAR:
    case BtfKind.LOC_PARAM:
    case BtfKind.LOC_PROTO:
      return 2;
    case BtfKind.PTR:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.ARRAY:
    case BtfKind.TYPE_TAG:
    case BtfKind.FWD:
      return 1;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return named ? 0 : 1;
    default:
      return 0;
  }
}

function distinct(values: Uint32Array): Uint32Array {
  const sorted = values.slice().sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i] ?? 0;
    if (count === 0 || sorted[count - 1] !== value) sorted[count++] = value;
  }
  return sorted.subarray(0, count);
}

function startsOf(types: TypeTable): { starts: Uint32Array; strLen: number } {
  const { blob, strStart, strEnd } = types;
  const starts: number[] = [];
  let previous = 0;
  for (let at = strStart; at < strEnd; at++) {
    const byte = blob[at] ?? 0;
    if (byte !== 0 && previous === 0) starts.push(at - strStart);
    previous = byte;
  }
  return { starts: Uint32Array.from(starts), strLen: strEnd - strStart };
}
