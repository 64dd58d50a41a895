/** The keys of a tree, as the ARIA Authoring Practices have them for role "tree". */
import { rowAfterKey } from '#ui/list-keys.ts';

/** What a key does in a tree: go to a row, open or close the active one, or nothing. */
export type TreeMove =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'parent' }
  | { readonly kind: 'open' | 'close' };

export type TreePlace = {
  readonly row: number;
  readonly rowCount: number;
  readonly pageRows: number;
  readonly isOpen: boolean;
  readonly hasParts: boolean;
};

/** Arrow right opens or goes in, arrow left closes or goes out; null for a key that is none of the tree's. */
export function treeMove(key: string, place: TreePlace): TreeMove | null {
  const { row, rowCount, pageRows, isOpen, hasParts } = place;
  if (key === 'ArrowRight') {
    if (!hasParts) return null;
    return isOpen ? { kind: 'row', row: Math.min(row + 1, rowCount - 1) } : { kind: 'open' };
  }
  if (key === 'ArrowLeft') return isOpen && row > 0 ? { kind: 'close' } : { kind: 'parent' };
  const next = rowAfterKey(key, row, rowCount, pageRows);
  return next === null ? null : { kind: 'row', row: next };
}
