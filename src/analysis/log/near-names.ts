/** Names that may be meant where one is not found: did you mean …? */

const MAX_SHOWN = 5;
/** Longer names are compared by their beginnings only. */
const MAX_COMPARED = 128;

/** Up to five of `names` that are near to `wanted`, the nearest first. Each name once. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const distance = name === '' ? null : distanceBetween(wanted, name);
    if (distance !== null) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, MAX_SHOWN).map((one) => one.name);
}

/** Lower is nearer; null for names that have nothing in common. */
function distanceBetween(wanted: string, name: string): number | null {
  const [a, b] = [plain(wanted), plain(name)];
  if (a === b) return 0;
  const difference = Math.abs(a.length - b.length);
  // One name within the other, as with a prefix that came or went: i_atime, __i_atime.
  const contained = Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a));
  if (contained) return 1 + difference / 100 + (b.startsWith(a) ? 0 : 0.5);
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  const edits = difference > most ? most + 1 : editDistance(a, b);
  return edits > most ? null : 2 + edits;
}

/** Underscores in front and the case do not make another name. */
function plain(name: string): string {
  return name.slice(0, MAX_COMPARED).replace(/^_+/, '').toLowerCase();
}

/** Changes, gaps and swaps of neighbours (optimal string alignment), row by row. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
