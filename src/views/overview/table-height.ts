const ROW = 28;
const HEADER = 28;

/** CSS pixels for a VirtualTable in a page that scrolls: all rows, or `most` of them and the table scrolls. */
export function tableHeight(count: number, most: number): number {
  return HEADER + ROW * Math.max(1, Math.min(count, most)) + (count > most ? ROW / 2 : 0);
}
