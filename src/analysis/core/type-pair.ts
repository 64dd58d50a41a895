/** A local and a target type as one number, to remember what was compared. */
import type { TypeId } from '#model/ids.ts';

/** Ids of types that exist stay below this: each takes 12 bytes of a blob that fits in memory. */
const MAX_IDS = 2 ** 27;

/** Different for each two types that exist. */
export function pairKey(local: TypeId, target: TypeId): number {
  return (local % MAX_IDS) * MAX_IDS + (target % MAX_IDS);
}
