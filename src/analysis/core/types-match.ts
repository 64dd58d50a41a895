/** Compares two types member by member for type_matches: libbpf's `__bpf_core_types_match`. */
import { addTo, getOrCreate, memoized } from '#bytes/cache.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, readEnumerators, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOffOf,
  sizeOrTypeOf,
  skipModifiers,
  stringAt,
  type TypeTable,
} from '#model/type-table.ts';
import { essentialKey, sameEssentialName } from './essential-name.ts';
import type { Recorder, Verdict } from './trace.ts';
import {
  type Difference,
  inside,
  MAX_HOPS,
  MAX_LEVELS,
  TOO_DEEP,
  TypePairs,
  verdictOf,
} from './type-pairs.ts';

/** Compares two root types, which may be typedefs or modifiers. */
export function typesMatch(
  localTypes: TypeTable,
  local: TypeId,
  targetTypes: TypeTable,
  target: TypeId,
  recorder: Recorder,
): Verdict {
  const pairs = new TypePairs(localTypes, targetTypes, recorder);
  return verdictOf(matching(pairs, local, target, { behindPointer: false, level: MAX_LEVELS }));
}

/** Kinds that libbpf compares, besides STRUCT, UNION and FWD. */
const EXPECTED: ReadonlySet<number> = new Set([
  BtfKind.UNKN,
  BtfKind.INT,
  BtfKind.PTR,
  BtfKind.ARRAY,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.FUNC_PROTO,
]);

type Place = {
  readonly behindPointer: boolean;
  readonly level: number;
  /** Name of the member that leads to the pair of types. */
  readonly member?: string;
};

const placeKey = ({ behindPointer, level }: Place) => level * 2 + (behindPointer ? 1 : 0);

function matching(pairs: TypePairs, localId: TypeId, targetId: TypeId, place: Place): Difference {
  const { level } = place;
  let { behindPointer } = place;
  let local = localId;
  let target = targetId;
  if (level <= 0) return TOO_DEEP;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const tooMuch = pairs.worked(1);
    if (tooMuch !== null) return tooMuch;
    local = skipModifiers(pairs.local, local);
    target = skipModifiers(pairs.target, target);
    pairs.compare(local, target, level, hop === 0 ? place.member : undefined);
    const name = nameOffOf(pairs.local, local);
    if (!sameEssentialName(pairs.local, name, pairs.target, nameOffOf(pairs.target, target))) {
      return pairs.no('name', local, target, level);
    }
    const kind = kindOf(pairs.local, local);
    if (isComposite(kind) || kind === BtfKind.FWD) {
      const rule = behindPointer ? pointedAt : contained;
      return rule(pairs, local, target, level);
    }
    if (!EXPECTED.has(kind)) return pairs.unexpected(local, target, level);
    if (!pairs.sameKind(local, target)) return pairs.no('kind', local, target, level);
    switch (kind) {
      case BtfKind.UNKN:
        return null;
      case BtfKind.INT:
        return ints(pairs, local, target, level);
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return enums(pairs, local, target, level);
      case BtfKind.PTR:
        behindPointer = true;
        break;
      case BtfKind.FUNC_PROTO: {
        const inner: Place = { behindPointer, level: level - 1 };
        const difference = pairs.params(local, target, level, (a, b) =>
          pairs.once(placeKey(inner), a, b, () => matching(pairs, a, b, inner)),
        );
        if (difference !== null) return difference;
        break;
      }
      default:
        if (arrayData(pairs.local, local).nelems !== arrayData(pairs.target, target).nelems) {
          return pairs.no('nelems', local, target, level);
        }
    }
    local = inside(pairs.local, local);
    target = inside(pairs.target, target);
  }
  return TOO_DEEP;
}

/** Compares the targets of two pointers by kind; a FWD also matches its struct or union. */
function pointedAt(pairs: TypePairs, local: TypeId, target: TypeId, level: number): Difference {
  const kind = kindOf(pairs.local, local);
  const targetKind = kindOf(pairs.target, target);
  if (kind === targetKind && isComposite(kind)) return null;
  const oneIsDeclared =
    targetKind === BtfKind.FWD || (kind === BtfKind.FWD && isComposite(targetKind));
  if (!oneIsDeclared) return pairs.no('kind', local, target, level);
  return isUnion(pairs.local, local) === isUnion(pairs.target, target)
    ? null
    : pairs.no('fwd-kind', local, target, level);
}

/** kind_flag of a FWD states whether it declares a union or a struct. */
function isUnion(t: TypeTable, id: TypeId): boolean {
  const kind = kindOf(t, id);
  return kind === BtfKind.FWD ? kindFlagOf(t, id) : kind === BtfKind.UNION;
}

function contained(pairs: TypePairs, local: TypeId, target: TypeId, level: number): Difference {
  const kind = kindOf(pairs.local, local);
  if (kind !== kindOf(pairs.target, target)) return pairs.no('kind', local, target, level);
  if (kind !== BtfKind.FWD) return composites(pairs, local, target, level);
  return isUnion(pairs.local, local) === isUnion(pairs.target, target)
    ? null
    : pairs.no('fwd-kind', local, target, level);
}

/** Returns a type's members by essential name, cached since a comparison may repeat a type. */
function membersByName(t: TypeTable, id: TypeId): ReadonlyMap<string, readonly number[]> {
  return getOrCreate(namedMembers(t), id, () => {
    const byName = new Map<string, number[]>();
    const members = readMembers(t, id);
    for (let i = 0; i < members.count; i++) {
      addTo(byName, essentialKey(t, members.nameOff(i)), i);
    }
    return byName;
  });
}

const namedMembers = memoized(
  (_: TypeTable) => new Map<TypeId, ReadonlyMap<string, readonly number[]>>(),
);

/** Compares two structs or unions: each local member needs a matching target member by name. */
function composites(pairs: TypePairs, local: TypeId, target: TypeId, level: number): Difference {
  const members = readMembers(pairs.local, local);
  const targets = readMembers(pairs.target, target);
  if (members.count > targets.count) return pairs.no('more-members', local, target, level);
  const byName = membersByName(pairs.target, target);
  const tooMuch = pairs.worked(targets.count);
  if (tooMuch !== null) return tooMuch;
  for (let i = 0; i < members.count; i++) {
    const type = members.type(i);
    const nameOff = members.nameOff(i);
    const member = stringAt(pairs.local, nameOff) || '(anonymous)';
    const inner: Place = { behindPointer: false, level: level - 1, member };
    const partners = byName.get(essentialKey(pairs.local, nameOff));
    if (partners === undefined) return pairs.no('member', local, target, level, member);
    let difference: Difference = null;
    for (const partner of partners) {
      const other = targets.type(partner);
      difference = pairs.once(placeKey(inner), type, other, () =>
        matching(pairs, type, other, inner),
      );
      if (difference === null || 'fault' in difference) break;
    }
    if (difference === null) continue;
    if ('fault' in difference) return difference;
    return { ...difference, path: [member, ...difference.path] };
  }
  return null;
}

/** Compares two enums by size and by the names of enumerators; values may differ. */
function enums(pairs: TypePairs, local: TypeId, target: TypeId, level: number): Difference {
  if (sizeOrTypeOf(pairs.local, local) !== sizeOrTypeOf(pairs.target, target)) {
    return pairs.no('enum-size', local, target, level);
  }
  const enumerators = readEnumerators(pairs.local, local);
  const targets = readEnumerators(pairs.target, target);
  if (enumerators.count > targets.count) {
    return pairs.no('more-enumerators', local, target, level);
  }
  const names = new Set<string>();
  for (let i = 0; i < targets.count; i++) {
    names.add(essentialKey(pairs.target, targets.nameOff(i)));
  }
  const tooMuch = pairs.worked(targets.count);
  if (tooMuch !== null) return tooMuch;
  for (let i = 0; i < enumerators.count; i++) {
    const nameOff = enumerators.nameOff(i);
    if (names.has(essentialKey(pairs.local, nameOff))) continue;
    return pairs.no('enumerator', local, target, level, stringAt(pairs.local, nameOff));
  }
  return null;
}

/** Compares two integers by size and sign. The caller has compared their names. */
function ints(pairs: TypePairs, local: TypeId, target: TypeId, level: number): Difference {
  if (sizeOrTypeOf(pairs.local, local) !== sizeOrTypeOf(pairs.target, target)) {
    return pairs.no('int-size', local, target, level);
  }
  const signed = intData(pairs.local, local).encoding & IntEncoding.SIGNED;
  return signed === (intData(pairs.target, target).encoding & IntEncoding.SIGNED)
    ? null
    : pairs.no('int-sign', local, target, level);
}

/** Compares two root types by kind only, as libbpf's `__bpf_core_types_are_compat` does. */
export function typesAreCompatible(
  localTypes: TypeTable,
  local: TypeId,
  targetTypes: TypeTable,
  target: TypeId,
  recorder: Recorder,
): Verdict {
  const pairs = new TypePairs(localTypes, targetTypes, recorder);
  return verdictOf(compatible(pairs, local, target, MAX_LEVELS));
}

function compatible(
  pairs: TypePairs,
  localId: TypeId,
  targetId: TypeId,
  level: number,
): Difference {
  let local = localId;
  let target = targetId;
  if (!pairs.sameKind(local, target)) return pairs.no('kind', local, target, level);
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const tooMuch = pairs.worked(1);
    if (tooMuch !== null) return tooMuch;
    local = skipModifiers(pairs.local, local);
    target = skipModifiers(pairs.target, target);
    pairs.compare(local, target, level);
    if (!pairs.sameKind(local, target)) return pairs.no('kind', local, target, level);
    switch (kindOf(pairs.local, local)) {
      case BtfKind.UNKN:
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
      case BtfKind.FWD:
        return null;
      case BtfKind.INT:
        // libbpf rejects integers whose first bit is not bit 0.
        return intData(pairs.local, local).bitOffset === 0 &&
          intData(pairs.target, target).bitOffset === 0
          ? null
          : pairs.no('int-bit-offset', local, target, level);
      case BtfKind.PTR:
      case BtfKind.ARRAY:
        break;
      case BtfKind.FUNC_PROTO: {
        const difference = pairs.params(local, target, level, (a, b) =>
          level <= 0 ? TOO_DEEP : pairs.once(level, a, b, () => compatible(pairs, a, b, level - 1)),
        );
        if (difference !== null) return difference;
        break;
      }
      default:
        return pairs.unexpected(local, target, level);
    }
    local = inside(pairs.local, local);
    target = inside(pairs.target, target);
  }
  return TOO_DEEP;
}
