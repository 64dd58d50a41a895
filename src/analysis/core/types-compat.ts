/**
 * Does a type of that name do, as far as kinds go? libbpf's
 * `__bpf_core_types_are_compat` (src/relo_core.c), for target_type_id, type_exists and
 * type_size. Names and members below the root do not count.
 */
import { stripped } from '#analysis/types/strip.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { intData, kindOf, type TypeTable } from '#model/type-table.ts';
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

/** In: the roots of both sides, not stripped. */
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
    local = stripped(pairs.local, local);
    target = stripped(pairs.target, target);
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
        // Integers of the old sort, which begin at a bit of their own, go with nothing.
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
