/** Enumerators by value, and types by id. */

import type { Slices } from '#bytes/slices.ts';
import { BTF_ENUM, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type Enumerator, enumeratorAt, readEnumerators } from '#model/type-items.ts';
import { hasType, lastId, type TypeTable } from '#model/type-table.ts';
import type { TypeFinder } from './finder.ts';
import { type FindAnswer, type FindHit, NO_HITS } from './hit.ts';
import { enumeratorHit, typeHit } from './make-hit.ts';

/** The type with that id. */
export function findId({ types }: TypeFinder, id: number): FindAnswer {
  if (hasType(types, typeId(id))) {
    return { hits: [typeHit(types, typeId(id), '')], total: 1, problem: null };
  }
  const problem =
    id === 0 ? 'Type 0 is void: it has no record' : `The last type is ${lastId(types)}`;
  return { ...NO_HITS, problem };
}

/** Enums between two looks at the clock. */
const STRIDE = 64;

/** Enumerators of that value, as stored or read without a sign. */
export async function findValue(
  { types, kinds }: TypeFinder,
  value: bigint,
  limit: number,
  slices: Slices,
): Promise<FindAnswer> {
  const hits: FindHit[] = [];
  const low = Number(BigInt.asUintN(32, value));
  let total = 0;
  let enums = 0;
  for (let id = 1; id < kinds.length; id++) {
    const kind = kinds[id] ?? 0;
    if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) continue;
    for (const index of indexesWith(types, typeId(id), low)) {
      if (!hasValue(enumeratorAt(types, typeId(id), index), kind, value)) continue;
      total++;
      const hit = hits.length < limit ? enumeratorHit(types, typeId(id), index, '') : null;
      if (hit !== null) hits.push(hit);
    }
    if (enums++ % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  const problem = total > 0 ? null : `No enumerator has the value ${value}`;
  return { hits, total, problem };
}

/** Enumerators whose lower 32 bits are `low`: the rest of them is not looked at. */
function indexesWith(types: TypeTable, id: TypeId, low: number): number[] {
  const items = readEnumerators(types, id);
  const found: number[] = [];
  for (let index = 0; index < items.count; index++) {
    if (items.u32(index, BTF_ENUM.at.val) === low) found.push(index);
  }
  return found;
}

function hasValue(enumerator: Enumerator | null, kind: number, value: bigint): boolean {
  const bits = kind === BtfKind.ENUM ? 32 : 64;
  const own = enumerator?.value;
  return own !== undefined && (own === value || BigInt.asUintN(bits, own) === value);
}
