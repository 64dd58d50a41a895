/**
 * May a field of this local type be read as that field of the target? The rules
 * of libbpf's `bpf_core_fields_are_compat` (src/relo_core.c).
 */

import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { stripped } from '#analysis/types/strip.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isNameless } from '#model/names.ts';
import { isComposite } from '#model/type-items.ts';
import { arrayData, intData, kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { sameEssentialName } from './essential-name.ts';
import { kindClass } from './essential-name-index.ts';
import type { Mismatch } from './trace.ts';
import { pairKey } from './type-pairs.ts';

/** Null where they go together, else the two types that do not. */
export function fieldMismatch(
  localTypes: TypeTable,
  localId: TypeId,
  targetTypes: TypeTable,
  targetId: TypeId,
): Mismatch | null {
  const guard = new LoopGuard();
  let local = stripped(localTypes, localId);
  let target = stripped(targetTypes, targetId);
  for (;;) {
    const no = (rule: Mismatch['rule']) => ({ local, target, rule, name: '', path: [] });
    const kind = kindOf(localTypes, local);
    const targetKind = kindOf(targetTypes, target);
    if (isComposite(kind) && isComposite(targetKind)) return null;
    if (kindClass(kind) !== kindClass(targetKind)) return no('kind');
    switch (kind) {
      case BtfKind.PTR:
      case BtfKind.FLOAT:
        return null;
      case BtfKind.FWD:
      case BtfKind.ENUM:
      case BtfKind.ENUM64: {
        const name = nameOffOf(localTypes, local);
        const targetName = nameOffOf(targetTypes, target);
        const either = isNameless(localTypes, name) || isNameless(targetTypes, targetName);
        return either || sameEssentialName(localTypes, name, targetTypes, targetName)
          ? null
          : no('name');
      }
      case BtfKind.INT:
        // Integers of the old sort, which begin at a bit of their own, go with nothing.
        return intData(localTypes, local).bitOffset === 0 &&
          intData(targetTypes, target).bitOffset === 0
          ? null
          : no('int-bit-offset');
      case BtfKind.ARRAY:
        if (guard.cameRound(pairKey(local, target))) return no('endless');
        local = stripped(localTypes, arrayData(localTypes, local).elemType);
        target = stripped(targetTypes, arrayData(targetTypes, target).elemType);
        break;
      default:
        return no('unexpected-kind');
    }
  }
}
