/** What is known of the entries of a table whatever the layout: worked out once, and kept as long as the table. */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { type Relocation, type RelocationTable, relocationAt } from '#formats/ecoff/relocations.ts';
import { gpDeltas } from './gp-ranges.ts';
import { type Group, groupIndexes, groupsOf } from './groups.ts';

export type TableFacts = {
  readonly groups: readonly Group[];
  /** For each entry the index of its group, -1 where it is in none. */
  readonly groupOf: Int32Array;
  /** For each entry what gp ranges add to the header's gp. */
  readonly gpDelta: Uint32Array;
  /** For each low half the entry of its high half. */
  readonly highOf: ReadonlyMap<number, Relocation>;
};

const kept = new WeakMap<RelocationTable, TableFacts>();

/** The facts of `table`, which is one of `file`. */
export function tableFacts(file: EcoffFile, table: RelocationTable): TableFacts {
  let facts = kept.get(table);
  if (facts === undefined) {
    const groups = groupsOf(file, table);
    facts = {
      groups,
      groupOf: groupIndexes(table, groups),
      gpDelta: gpDeltas(table),
      highOf: highOfLow(table, groups),
    };
    kept.set(table, facts);
  }
  return facts;
}

function highOfLow(
  table: RelocationTable,
  groups: readonly Group[],
): ReadonlyMap<number, Relocation> {
  const highs = new Map<number, Relocation>();
  for (const group of groups) {
    if (group.kind !== 'gprel-high-low' && group.kind !== 'tls-high-low') continue;
    const [first = 0, ...lows] = group.members;
    const high = relocationAt(table, first);
    for (const low of lows) highs.set(low, high);
  }
  return highs;
}
