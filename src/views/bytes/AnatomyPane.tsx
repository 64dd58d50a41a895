import { useEffect, useMemo, useState } from 'react';
import { selectionSpan } from '#analysis/code/selection.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import type { Pin } from '#store/lesson/pins.ts';
import { select } from '#store/navigation.ts';
import { AnatomyTree } from './AnatomyTree.tsx';
import {
  NOTHING_OPEN,
  type OpenParts,
  outlineOf,
  ownerAtPath,
  pathOfByte,
  type TreePath,
  type TreeRow,
  withOpen,
} from './anatomy-tree.ts';
import { linkOf, selectionOfOwner } from './owner-links.ts';
import { ownerText } from './owner-text.ts';
import { pinsOnRow } from './pin-rows.ts';
import type { FileAnatomy } from './use-anatomy.ts';
import type { Places } from './use-places.ts';

type AnatomyPaneProps = {
  readonly active: Active;
  readonly anatomy: FileAnatomy;
  readonly places: Places;
  readonly pins: readonly Pin[];
};

/** The anatomy as a tree that follows what is selected, and selects what is clicked. */
export function AnatomyPane({ active, anatomy, places, pins }: AnatomyPaneProps) {
  const { model, selection } = active;
  const { root, read } = anatomy;
  const [open, setOpen] = useState<OpenParts>(NOTHING_OPEN);
  // Owners that have the same bytes are told apart by which was clicked.
  const [picked, setPicked] = useState<{
    readonly path: TreePath;
    readonly selection: Selection;
  } | null>(null);
  const isPicked = picked !== null && sameSelection(picked.selection, selection);
  const selected = isPicked ? picked.path : pathOfSelection(active, anatomy, places);

  const branch = selected.slice(0, -1).join();
  useEffect(() => {
    const path = branch === '' ? [] : branch.split(',').map(Number);
    setOpen((now) => withOpen(now, path, true));
  }, [branch]);

  const outline = useMemo(() => outlineOf(root, open), [root, open]);
  const pick = ({ owner, path }: TreeRow) => {
    const next = selectionOfOwner(model, owner);
    setPicked({ path, selection: next });
    places.show(next);
  };
  return (
    <AnatomyTree
      outline={outline}
      selected={selected}
      textOf={({ owner }) => ownerText(owner, read, model.endian)}
      pinsOf={(row) => pinsOnRow(row, pins)}
      onSelect={pick}
      onOpen={(path, isOpen) => setOpen((now) => withOpen(now, path, isOpen))}
      onActivate={({ owner }) => {
        const link = linkOf(owner);
        if (link !== null) select(link.selection, link.view);
      }}
    />
  );
}

/** The innermost part that holds all that is selected; the file while nothing is. */
function pathOfSelection(
  { model, selection }: Active,
  { root }: FileAnatomy,
  places: Places,
): TreePath {
  if (selection.kind === 'none') return [];
  const span = places.lit ?? selectionSpan(model, selection);
  if (span === null) return [];
  const path = pathOfByte(root, span.start);
  let depth = path.length;
  while (depth > 0) {
    const owner = ownerAtPath(root, path.slice(0, depth));
    if (owner !== null && owner.span.start <= span.start && owner.span.end >= span.end) break;
    depth -= 1;
  }
  return path.slice(0, depth);
}
