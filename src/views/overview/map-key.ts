/** The part of the file map that a key leads to; null when the key is none of the map's. `from` null = none yet. */
export function mapKey(key: string, from: number | null, count: number): number | null {
  const last = count - 1;
  if (last < 0) return null;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return from === null ? 0 : Math.min(last, from + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return from === null ? last : Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
