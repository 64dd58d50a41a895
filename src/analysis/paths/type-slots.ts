/**
 * Rows for all types at hand, those of the bases first, so that what is known of
 * each type can stand in typed arrays. Ids alone will not do: a split BTF without
 * its base begins at an id of the file's choice.
 */
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export type TypeSlots = {
  /** The base of all first, the table itself last. */
  readonly tables: readonly TypeTable[];
  /** Slot of the first own type of each table. */
  readonly firstSlots: readonly number[];
  readonly count: number;
};

/** The slots of `t` and its bases. */
export function typeSlots(t: TypeTable): TypeSlots {
  const tables: TypeTable[] = [];
  for (let table: TypeTable | null = t; table !== null; table = table.base) tables.unshift(table);
  const firstSlots: number[] = [];
  let count = 0;
  for (const table of tables) {
    firstSlots.push(count);
    count += table.count;
  }
  return { tables, firstSlots, count };
}

/** The slot of `id`; -1 for void and for ids without a record. */
export function slotOf({ tables, firstSlots }: TypeSlots, id: number): number {
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i];
    if (table === undefined || id < table.firstId) continue;
    const own = id - table.firstId;
    return id > 0 && own < table.count ? (firstSlots[i] ?? 0) + own : -1;
  }
  return -1;
}

/** The id in `slot`. */
export function idOfSlot({ tables, firstSlots }: TypeSlots, slot: number): TypeId {
  for (let i = tables.length - 1; i >= 0; i--) {
    const own = slot - (firstSlots[i] ?? 0);
    if (own >= 0) return typeId((tables[i]?.firstId ?? 0) + own);
  }
  return typeId(0);
}

/** The id in each slot, in order. */
export function* slotIds({ tables }: TypeSlots): Generator<TypeId, void, void> {
  for (const table of tables) {
    for (let i = 0; i < table.count; i++) yield typeId(table.firstId + i);
  }
}
