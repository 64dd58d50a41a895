/** Forward declarations and the full types that they stand for: those of the same keyword and name. */

import { BtfKind } from '#formats/btf/kinds.ts';
import { shortName } from '#model/names.ts';
import { isComposite } from '#model/type-items.ts';
import { kindFlagOf, kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { slotIds, type TypeSlots } from './type-slots.ts';

/** Longer names are not looked for: strings of a hostile file overlap and are all as long as the file. */
const MAX_NAME = 512;

/**
 * Gives each FWD the node of the first full type of its name, where there is one.
 */
export function resolveForwards(t: TypeTable, slots: TypeSlots, nodeOfSlot: Int32Array): void {
  const wanted = new Map<string, number[]>();
  let slot = 0;
  for (const id of slotIds(slots)) {
    if (kindOf(t, id) === BtfKind.FWD) {
      note(wanted, keyOf(kindFlagOf(t, id), shortName(t, nameOffOf(t, id), MAX_NAME)), slot);
    }
    slot++;
  }
  wanted.delete('');
  if (wanted.size === 0) return;
  slot = 0;
  for (const id of slotIds(slots)) {
    const kind = kindOf(t, id);
    if (isComposite(kind)) {
      const key = keyOf(kind === BtfKind.UNION, shortName(t, nameOffOf(t, id), MAX_NAME));
      for (const forward of wanted.get(key) ?? []) nodeOfSlot[forward] = nodeOfSlot[slot] ?? -1;
      if (key !== '') wanted.delete(key);
    }
    slot++;
  }
}

function note(rows: Map<string, number[]>, key: string, row: number): void {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, [row]);
  else known.push(row);
}

const keyOf = (isUnion: boolean, name: string) =>
  name === '' ? '' : `${isUnion ? 'u' : 's'} ${name}`;
