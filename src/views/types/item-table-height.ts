const ROW = 26;
const HEADER = 28;

/** CSS pixels of a row in the tables of members, enumerators, parameters and variables. */
export const ITEM_ROW_HEIGHT = ROW;

/** CSS pixels of a table with `count` rows: all of them, or `most` and it scrolls; half a row tells that. */
export function itemTableHeight(count: number, most: number): number {
  return HEADER + ROW * Math.max(1, Math.min(count, most)) + (count > most ? ROW / 2 : 0);
}
