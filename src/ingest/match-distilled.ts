/**
 * Finds the types of a distilled base in a real base.
 *
 * A module may have a `.BTF.base`, with only the name, kind and size of each kernel type that it
 * needs. The kernel and libbpf search for these types in the BTF of the running kernel. The rules
 * are those of libbpf 1.8 (`btf__relocate`):
 * - INT, FLOAT, ENUM and ENUM64 match by name and size, an INT also by its encoding. A distilled
 *   ENUM also matches an ENUM64.
 * - STRUCT and UNION match by name. If the base has several of the name, the size must match as
 *   well. If types of the module contain the type by value, the size must always match.
 * - A distilled FWD matches a FWD of the same kind, or the STRUCT (without kind_flag) or UNION
 *   (with kind_flag) that it declares.
 * - Two matches are an error.
 */
import { addTo } from '#bytes/cache.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  isModifier,
  kindFlagOf,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

/** Returns the match in `base` of each type of `split.base`, the distilled base, in order. */
export function matchDistilled(split: TypeTable, base: TypeTable): DistilledMatch[] {
  const { base: distilled } = split;
  if (distilled === null) return [];
  const sought = soughtTypes(distilled, embeddedIds(split, distilled));
  search(sought, distilled, base);
  return sought.all.map((type) => matchOf(type, distilled));
}

/** A distilled type and the candidates found so far. */
type Sought = {
  readonly id: TypeId;
  readonly kind: number;
  /** Size of the type in bytes; 0 for a FWD. */
  readonly size: number;
  readonly isEmbedded: boolean;
  /** First two candidates in the base. Two candidates already make the match ambiguous. */
  readonly candidates: TypeId[];
  /** Why a type of the same name does not match; null if there is no such type or it matches. */
  refused: string | null;
};

type SoughtTypes = {
  readonly all: readonly Sought[];
  readonly byName: ReadonlyMap<string, readonly Sought[]>;
};

/** Limits the time for hostile files. Real files need some hundreds of comparisons. */
const MAX_COMPARISONS = 5_000_000;

const DISTILLED_KINDS: ReadonlySet<number> = new Set([
  BtfKind.INT,
  BtfKind.FLOAT,
  BtfKind.ENUM,
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.FWD,
]);

function soughtTypes(distilled: TypeTable, embedded: ReadonlySet<number>): SoughtTypes {
  const all: Sought[] = [];
  const byName = new Map<string, Sought[]>();
  for (let id = distilled.firstId; id <= lastId(distilled); id++) {
    const type = typeId(id);
    const sought: Sought = {
      id: type,
      kind: kindOf(distilled, type),
      size: sizeOrTypeOf(distilled, type),
      isEmbedded: embedded.has(id),
      candidates: [],
      refused: null,
    };
    all.push(sought);
    const name = nameOf(distilled, type);
    if (name !== '') addTo(byName, name, sought);
  }
  return { all, byName };
}

function search({ byName }: SoughtTypes, distilled: TypeTable, base: TypeTable): void {
  const shared = sharedNames(base, byName);
  let comparisons = 0;
  for (let id = 1; id <= lastId(base) && comparisons < MAX_COMPARISONS; id++) {
    const type = typeId(id);
    const answers = answersBy(base, type, shared);
    if (answers === null) continue;
    const sameName = byName.get(nameOf(base, type)) ?? [];
    comparisons += sameName.length;
    for (const sought of sameName) {
      if (sought.candidates.length > 1) continue;
      const fault =
        answers.bySize && sought.size !== sizeOrTypeOf(base, type)
          ? sizeFault(base, type)
          : faultOf(sought, distilled, base, type);
      if (fault === null) sought.candidates.push(type);
      else sought.refused ??= `[${type}] of that name ${fault}`;
    }
  }
}

/** Returns how a type of the base can match: by name, or by name and size; null if it cannot. */
function answersBy(
  base: TypeTable,
  type: TypeId,
  shared: ReadonlySet<number>,
): { readonly bySize: boolean } | null {
  if (nameOffOf(base, type) === 0) return null;
  switch (kindOf(base, type)) {
    case BtfKind.INT:
    case BtfKind.FLOAT:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return { bySize: true };
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return { bySize: shared.has(nameOffOf(base, type)) };
    case BtfKind.FWD:
      return { bySize: false };
    default:
      return null;
  }
}

/** Returns the offsets of sought names that several STRUCTs or UNIONs of the base share. */
function sharedNames(
  base: TypeTable,
  byName: ReadonlyMap<string, readonly Sought[]>,
): ReadonlySet<number> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (let id = 1; id <= lastId(base); id++) {
    const type = typeId(id);
    const nameOff = nameOffOf(base, type);
    if (nameOff === 0 || !isComposite(kindOf(base, type))) continue;
    if (seen.has(nameOff)) shared.add(nameOff);
    else if (byName.has(nameOf(base, type))) seen.add(nameOff);
  }
  return shared;
}

/** Returns why a type of the base with the sought name does not match; null if it matches. */
function faultOf(
  sought: Sought,
  distilled: TypeTable,
  base: TypeTable,
  type: TypeId,
): string | null {
  const kind = kindOf(base, type);
  const isSameKind = kind === sought.kind;
  const kindFault = `is a ${kindName(kind)}`;
  switch (sought.kind) {
    case BtfKind.FWD:
      return forwardFault(kindFlagOf(distilled, sought.id), kindFlagOf(base, type), kind);
    case BtfKind.INT:
      if (!isSameKind) return kindFault;
      return intData(distilled, sought.id).encoding === intData(base, type).encoding
        ? null
        : 'has another encoding';
    case BtfKind.FLOAT:
      return isSameKind ? null : kindFault;
    case BtfKind.ENUM:
      return isSameKind || kind === BtfKind.ENUM64 ? null : kindFault;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      // Ignores the kind of the type, as libbpf does.
      return sought.isEmbedded && sought.size !== sizeOrTypeOf(base, type)
        ? sizeFault(base, type)
        : null;
    default:
      return kindFault;
  }
}

/** Checks a candidate for a FWD. Compares the candidate's kind_flag, as libbpf does. */
function forwardFault(ownFlag: boolean, baseFlag: boolean, baseKind: number): string | null {
  switch (baseKind) {
    case BtfKind.FWD:
      return ownFlag === baseFlag ? null : `announces a ${baseFlag ? 'union' : 'struct'}`;
    case BtfKind.STRUCT:
      return baseFlag ? 'is a STRUCT with bit-fields (kind_flag)' : null;
    case BtfKind.UNION:
      return baseFlag ? null : 'is a UNION without kind_flag';
    default:
      return `is a ${kindName(baseKind)}`;
  }
}

function sizeFault(base: TypeTable, type: TypeId): string {
  return `has ${sizeOrTypeOf(base, type)} bytes`;
}

/** Returns the structs and unions that types of the module contain by value. */
function embeddedIds(split: TypeTable, distilled: TypeTable): ReadonlySet<number> {
  const embedded = new Set<number>();
  // Visits each type once, so that cycles and long chains take linear time.
  const seen = new Set<number>();
  for (let id = split.firstId; id <= lastId(split); id++) {
    for (const member of membersOf(split, typeId(id))) {
      let at: TypeId | null = member.type;
      while (at !== null && !seen.has(at)) {
        seen.add(at);
        const kind = kindOf(split, at);
        if (isComposite(kind) && at <= lastId(distilled)) embedded.add(at);
        at = heldBy(split, at, kind);
      }
    }
  }
  return embedded;
}

/** Returns the type that `type` contains by value; null for none, for example for a pointer. */
function heldBy(t: TypeTable, type: TypeId, kind: number): TypeId | null {
  if (isModifier(kind)) return refOf(t, type);
  return kind === BtfKind.ARRAY ? arrayData(t, type).elemType : null;
}

function matchOf(sought: Sought, distilled: TypeTable): DistilledMatch {
  const { id, isEmbedded, candidates, refused } = sought;
  const [first, second] = candidates;
  const name = nameOf(distilled, id);
  const match = { id, isEmbedded, baseIds: candidates };
  if (!DISTILLED_KINDS.has(sought.kind) || name === '') {
    return { ...match, baseIds: [], outcome: 'invalid', reason: invalidReason(sought.kind, name) };
  }
  if (first === undefined) {
    const wanted = isEmbedded ? `, ${sought.size} bytes, held by value` : '';
    const reason =
      refused === null
        ? 'the base has no type of that name'
        : `${refused}, not ${kindName(sought.kind)}${wanted}`;
    return { ...match, outcome: 'missing', reason };
  }
  if (second === undefined) return { ...match, outcome: 'mapped', reason: '' };
  return {
    ...match,
    outcome: 'ambiguous',
    reason: `[${first}] and [${second}] both match by name and size`,
  };
}

function invalidReason(kind: number, name: string): string {
  return name === '' && DISTILLED_KINDS.has(kind)
    ? 'a type of a distilled base must have a name'
    : `a distilled base has no ${kindName(kind)}`;
}
