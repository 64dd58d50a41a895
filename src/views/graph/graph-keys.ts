/** Moving through the graph by keys. */
import type { TypeId } from '#model/ids.ts';
import type { Box } from './graph-boxes.ts';
import type { GraphLayout } from './graph-layout.ts';

/**
 * The box that a key leads to from the box of `from`, or null: Right along the
 * first edge to a later column, Left back along one, Up and Down within the
 * column, Home to the root, End to the last.
 */
export function boxAfterKey(layout: GraphLayout, from: TypeId, key: string): Box | null {
  const { boxes } = layout;
  const at = boxes.find((box) => box.type === from) ?? boxes[0];
  if (at === undefined) return null;
  switch (key) {
    case 'ArrowRight':
      return along(layout, at, 1);
    case 'ArrowLeft':
      return along(layout, at, -1);
    case 'ArrowDown':
      return inColumn(boxes, at, 1);
    case 'ArrowUp':
      return inColumn(boxes, at, -1);
    case 'Home':
      return boxes[0] ?? null;
    case 'End':
      return boxes.at(-1) ?? null;
    default:
      return null;
  }
}

/** Of the boxes at the other end of an edge, on the side asked for, the one that lies most level. */
function along({ boxes, links }: GraphLayout, at: Box, direction: 1 | -1): Box | null {
  const neighbours = new Set<TypeId>();
  for (const { from, to } of links) {
    if (from === at.type) neighbours.add(to);
    if (to === at.type) neighbours.add(from);
  }
  const middle = (box: Box) => box.y + box.height / 2;
  const distance = (box: Box) => Math.abs(middle(box) - middle(at));
  return (
    boxes
      .filter((box) => neighbours.has(box.type) && Math.sign(box.depth - at.depth) === direction)
      .sort((a, b) => distance(a) - distance(b))[0] ?? null
  );
}

function inColumn(boxes: readonly Box[], at: Box, step: 1 | -1): Box | null {
  const column = boxes.filter((box) => box.depth === at.depth).sort((a, b) => a.y - b.y);
  return column[column.indexOf(at) + step] ?? null;
}
