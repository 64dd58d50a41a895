/** CSS pixels of a table in a detail: its header, its rows of 28 pixels up to 18, and room for a bar at its foot. */
export function detailTableHeight(rows: number): number {
  return 28 + 28 * Math.max(1, Math.min(rows, 18)) + 14;
}
