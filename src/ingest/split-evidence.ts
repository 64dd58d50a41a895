/**
 * Collects evidence in split BTF about its base: the ids and string offsets in use, and types and
 * strings that something must refer to. Source: "BTF Type Format", sections 2.2 and 4.4.
 */
import { BTF_KIND_MAX, BTF_TYPE_SIZE, BtfKind, type ReferenceRole } from '#formats/btf/kinds.ts';
import { RecordReader } from '#formats/btf/records.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';

/** Bits of the unknown kinds, which may be anything. Bit 31 stands for all kinds from 31 on. */
const UNKNOWN_KINDS = -1 << (BTF_KIND_MAX + 1);

/** Bits of the kinds to which a reference may lead. The keys are kinds of references. */
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

/** Larger ids count as damage, so that a single id cannot cause a large allocation. */
const MAX_ID = 1 << 24;

export type SplitEvidence = {
  /** Number of readable types in the split BTF. */
  readonly count: number;
  /** Largest possible number of types. It is more than `count` if the walk ended early. */
  readonly countLimit: number;
  /** For each type of the split BTF, the bit of its kind. */
  readonly kindBit: Int32Array;
  /** For each type: 2 if a reference must lead to it, 1 if a reference should, else 0. */
  readonly wanted: Uint8Array;
  /** Number of types with `wanted` 2. */
  readonly mustCount: number;
  /** Different type ids in use, descending. */
  readonly refs: Uint32Array;
  /** Bits of the kinds that all references to an id allow. Same order as `refs`. */
  readonly refKinds: Int32Array;
  /** Number of references to very large ids, which count as damage and are not in `refs`. */
  readonly damaged: number;
  /** For each `firstId`: how many types would refer to themselves, which is invalid. */
  readonly selfRefs: ReadonlyMap<number, number>;
  /** Different ids in DATASECs, ascending. A base contains no variables. */
  readonly varRefs: Uint32Array;
  /** Different string offsets except 0, ascending. */
  readonly names: Uint32Array;
  /** Offsets of non-empty strings in the string section of the split BTF, ascending. */
  readonly starts: Uint32Array;
  readonly strLen: number;
};

/** Collects the evidence in `types`. `unread` is the number of type bytes after the last type. */
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

/** Columns that grow with each type. Their size is limited by the size of the type section. */
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
  /** Number of the type that is being added, from 0. */
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

  /** Returns the different ids, descending, and the kinds that all references to each allow. */
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

/** Returns the bits of the kinds to which a reference in a record of `kind` may lead. */
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

/** Returns `wanted` for a type. Compilers write some kinds only if something refers to them. */
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
