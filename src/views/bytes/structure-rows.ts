/**
 * The structure as rows of a tree, of which some are open. Only open owners have
 * their parts counted, and only rows that are drawn are made: a list of 130,000
 * types is one number until it is scrolled through.
 *
 * A path is the number of each part from the file down; the file itself is [].
 */
import type { FieldList, StructureField } from '#analysis/fields/field.ts';
import { childrenOf } from '#analysis/structure/structure.ts';
import { rowAfterKey } from '#ui/list-keys.ts';

export type TreePath = readonly number[];

/** Which parts are open, by their number in the owner above them. */
export type OpenParts = ReadonlyMap<number, OpenParts>;

export const NOTHING_OPEN: OpenParts = new Map();

/** An open owner: its parts, and those of them that are open too, by number. */
type Branch = {
  readonly list: FieldList;
  readonly open: readonly { readonly index: number; readonly branch: Branch }[];
  /** Rows below this owner. */
  readonly rows: number;
};

export type Outline = { readonly root: StructureField; readonly branch: Branch };

export type TreeRow = {
  readonly owner: StructureField;
  readonly path: TreePath;
  readonly isOpen: boolean;
  readonly hasParts: boolean;
  /** Among how many parts of the owner above. */
  readonly siblings: number;
};

/** The tree with the file open and what `open` names. As deep as a person opened it. */
export function outlineOf(root: StructureField, open: OpenParts): Outline {
  return { root, branch: branchOf(root, open) };
}

function branchOf(owner: StructureField, open: OpenParts): Branch {
  const list = childrenOf(owner);
  const branches: { readonly index: number; readonly branch: Branch }[] = [];
  let rows = list.count;
  for (const [index, below] of [...open].sort(([a], [b]) => a - b)) {
    const part = list.at(index);
    if (part === null || part.parts === null) continue;
    const branch = branchOf(part, below);
    branches.push({ index, branch });
    rows += branch.rows;
  }
  return { list, open: branches, rows };
}

/** Rows of the tree, the file's own included. */
export function rowCount({ branch }: Outline): number {
  return 1 + branch.rows;
}

/** The row with this number from the top; null outside. */
export function rowAt({ root, branch }: Outline, row: number): TreeRow | null {
  if (row === 0) return { owner: root, path: [], isOpen: true, hasParts: true, siblings: 1 };
  if (row < 0 || row > branch.rows) return null;
  const path: number[] = [];
  let at = branch;
  let left = row - 1;
  for (;;) {
    const { index, inside } = stepInto(at, left);
    path.push(index);
    if (inside === null) return rowOf(at, index, path);
    at = inside.branch;
    left = inside.row;
  }
}

/** The part that row `row` below `branch` is, or is inside of, and then which row there. */
function stepInto(
  { open }: Branch,
  row: number,
): {
  readonly index: number;
  readonly inside: { readonly branch: Branch; readonly row: number } | null;
} {
  let before = 0;
  for (const { index, branch } of open) {
    const own = index + before;
    if (row <= own) break;
    if (row <= own + branch.rows) return { index, inside: { branch, row: row - own - 1 } };
    before += branch.rows;
  }
  return { index: row - before, inside: null };
}

function rowOf({ list, open }: Branch, index: number, path: TreePath): TreeRow | null {
  const owner = list.at(index);
  if (owner === null) return null;
  return {
    owner,
    path: [...path],
    isOpen: open.some((each) => each.index === index),
    hasParts: owner.parts !== null,
    siblings: list.count,
  };
}

/** The row of the part at `path`, or of the closed owner that it is in. */
export function rowOfPath({ branch }: Outline, path: TreePath): number {
  let row = 0;
  let at = branch;
  for (const part of path) {
    let before = 0;
    let inside: Branch | null = null;
    for (const { index, branch: below } of at.open) {
      if (index > part) break;
      if (index === part) inside = below;
      else before += below.rows;
    }
    row += 1 + part + before;
    if (inside === null) return row;
    at = inside;
  }
  return row;
}

/** The numbers of the parts that hold the byte, from the file down to the innermost that can be listed. */
export function pathOfByte(root: StructureField, fileOffset: number): TreePath {
  const path: number[] = [];
  let at: StructureField | null = root;
  // A chain is not deeper than this; a hostile one might be.
  while (at !== null && path.length < 64) {
    const list: FieldList = childrenOf(at);
    const index = list.indexAt(fileOffset);
    if (index < 0) break;
    path.push(index);
    at = list.at(index);
  }
  return path;
}

/** The owner at `path`, or null where there is none. */
export function fieldAtPath(root: StructureField, path: TreePath): StructureField | null {
  let at: StructureField | null = root;
  for (const index of path) at = at === null ? null : childrenOf(at).at(index);
  return at;
}

/** `open` with the part at `path` open or closed, and all above it open. */
export function withOpen(open: OpenParts, path: TreePath, isOpen: boolean): OpenParts {
  const [first, ...rest] = path;
  if (first === undefined) return open;
  const next = new Map(open);
  if (rest.length === 0 && !isOpen) next.delete(first);
  else next.set(first, withOpen(open.get(first) ?? NOTHING_OPEN, rest, isOpen));
  return next;
}

/** Is the part at `path` open? */
export function isOpenAt(open: OpenParts, path: TreePath): boolean {
  let at: OpenParts | undefined = open;
  for (const index of path) at = at?.get(index);
  return at !== undefined;
}

/** What a key does in a tree: go to a row, open or close the active one, or nothing. */
type TreeMove =
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
