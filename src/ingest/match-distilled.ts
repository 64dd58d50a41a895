/**
 * Which types of a real base the types of a distilled one are.
 *
 * A module may bring `.BTF.base` along: of each type of the kernel that it
 * needs only the name, the kind and the size. The kernel and libbpf look these
 * up in the BTF of the kernel that runs. The rules here are libbpf's
 * (`btf__relocate`, libbpf 1.8), so that what is found is what would be loaded:
 *
 * - INT, FLOAT, ENUM and ENUM64 answer by name and size, INT also by its
 *   encoding; a distilled ENUM stands for an ENUM64 too;
 * - STRUCT and UNION answer by name; where the base has several of that name,
 *   by size too, and where own types hold it by value, only with the same size;
 * - a distilled FWD is found as a FWD of the same sort, or as the STRUCT
 *   (without kind_flag) or UNION (with kind_flag) that it announces;
 * - two answers are one too many.
 */
import { addTo } from '#bytes/keep.ts';
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

/** Looks up each type of `split.base`, the distilled base, in `base`. One match a type, in order. */
export function matchDistilled(split: TypeTable, base: TypeTable): DistilledMatch[] {
  const { base: distilled } = split;
  if (distilled === null) return [];
  const sought = soughtTypes(distilled, embeddedIds(split, distilled));
  search(sought, distilled, base);
  return sought.all.map((one) => matchOf(one, distilled));
}

/** A distilled type and what answered to it so far. */
type Sought = {
  readonly id: TypeId;
  readonly kind: number;
  /** Bytes; for a FWD what stands in its place, 0. */
  readonly size: number;
  readonly isEmbedded: boolean;
  /** The first types of the base that it can be; two are enough to know that it is ambiguous. */
  readonly found: TypeId[];
  /** A type of its name that it cannot be, and why: the reason when nothing else turns up. */
  refused: string | null;
};

type SoughtTypes = {
  readonly all: readonly Sought[];
  readonly byName: ReadonlyMap<string, readonly Sought[]>;
};

/** Real files need some hundreds. Hostile ones, with one name a hundred thousand times, must not take long. */
const MAX_COMPARISONS = 5_000_000;

/** The kinds that a distilled base may have. */
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
    const one: Sought = {
      id: type,
      kind: kindOf(distilled, type),
      size: sizeOrTypeOf(distilled, type),
      isEmbedded: embedded.has(id),
      found: [],
      refused: null,
    };
    all.push(one);
    const name = nameOf(distilled, type);
    if (name !== '') addTo(byName, name, one);
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
    for (const one of sameName) {
      if (one.found.length > 1) continue;
      const fault =
        answers.bySize && one.size !== sizeOrTypeOf(base, type)
          ? sizeFault(base, type)
          : faultOf(one, distilled, base, type);
      if (fault === null) one.found.push(type);
      else one.refused ??= `[${type}] of that name ${fault}`;
    }
  }
}

/** Does a type of the base answer to a name alone, or to a name with its size? null: it does not answer at all. */
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

/** Name offsets that more than one STRUCT or UNION of the base has, among the names that are sought. */
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

/** Why a type of the base that has the name cannot be the one that is sought; null when it can. */
function faultOf(one: Sought, distilled: TypeTable, base: TypeTable, type: TypeId): string | null {
  const kind = kindOf(base, type);
  const isSameKind = kind === one.kind;
  const kindFault = `is a ${kindName(kind)}`;
  switch (one.kind) {
    case BtfKind.FWD:
      return forwardFault(kindFlagOf(distilled, one.id), kindFlagOf(base, type), kind);
    case BtfKind.INT:
      if (!isSameKind) return kindFault;
      return intData(distilled, one.id).encoding === intData(base, type).encoding
        ? null
        : 'has another encoding';
    case BtfKind.FLOAT:
      return isSameKind ? null : kindFault;
    case BtfKind.ENUM:
      return isSameKind || kind === BtfKind.ENUM64 ? null : kindFault;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      // libbpf does not ask for the kind here.
      return one.isEmbedded && one.size !== sizeOrTypeOf(base, type) ? sizeFault(base, type) : null;
    default:
      return kindFault;
  }
}

/** What a FWD may become is told by the kind_flag of what the base has, as libbpf does it. */
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

/** Composites of the distilled base that own structs and unions hold by value, also through arrays and modifiers. */
function embeddedIds(split: TypeTable, distilled: TypeTable): ReadonlySet<number> {
  const embedded = new Set<number>();
  // Each type is walked through once, so that neither circles nor long chains take long.
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

/** What `type` holds by value; null where nothing more is held, as by a pointer. */
function heldBy(t: TypeTable, type: TypeId, kind: number): TypeId | null {
  if (isModifier(kind)) return refOf(t, type);
  return kind === BtfKind.ARRAY ? arrayData(t, type).elemType : null;
}

function matchOf(one: Sought, distilled: TypeTable): DistilledMatch {
  const { id, isEmbedded, found, refused } = one;
  const [first, second] = found;
  const name = nameOf(distilled, id);
  const said = { id, isEmbedded, baseIds: found };
  if (!DISTILLED_KINDS.has(one.kind) || name === '') {
    return { ...said, baseIds: [], outcome: 'invalid', reason: invalidReason(one.kind, name) };
  }
  if (first === undefined) {
    const wanted = isEmbedded ? `, ${one.size} bytes, held by value` : '';
    const reason =
      refused === null
        ? 'the base has no type of that name'
        : `${refused}, not ${kindName(one.kind)}${wanted}`;
    return { ...said, outcome: 'missing', reason };
  }
  if (second === undefined) return { ...said, outcome: 'mapped', reason: '' };
  return {
    ...said,
    outcome: 'ambiguous',
    reason: `[${first}] and [${second}] both match by name and size`,
  };
}

function invalidReason(kind: number, name: string): string {
  return name === '' && DISTILLED_KINDS.has(kind)
    ? 'a type of a distilled base must have a name'
    : `a distilled base has no ${kindName(kind)}`;
}
