/** Boxes of the flame graph of a walk: widths are shares of the walked instructions. */
import type { CostNode } from '#analysis/verifier/replay-cost.ts';

export type FlameBox = {
  readonly node: CostNode;
  /** 0 for functions, 1 for lines, 2 for instructions. */
  readonly level: number;
  /** Left edge and width as shares of the whole, 0 to 1. */
  readonly start: number;
  readonly width: number;
  /** Index of the box below, of which this one is a part; -1 for functions. */
  readonly parent: number;
};

/** Smallest width of a box that is shown. */
const MIN_WIDTH = 0.004;

/** Returns the boxes by level, then from left to right; those too narrow to see are left out. */
export function flameBoxes(functions: readonly CostNode[], total: number): FlameBox[] {
  const boxes: FlameBox[] = [];
  const add = (nodes: readonly CostNode[], level: number, from: number, parent: number) => {
    let start = from;
    for (const node of nodes) {
      const width = node.steps / total;
      if (width >= MIN_WIDTH) boxes.push({ node, level, start, width, parent });
      start += width;
    }
  };
  add(functions, 0, 0, -1);
  // Boxes are added while they are read: each level follows the one below.
  for (let index = 0; index < boxes.length; index++) {
    const box = boxes[index];
    if (box !== undefined) add(box.node.children, box.level + 1, box.start, index);
  }
  return boxes;
}

/** Returns the box that an arrow key moves to, or null. */
export function boxAfterKey(boxes: readonly FlameBox[], from: number, key: string): number | null {
  const box = boxes[from];
  if (box === undefined) return null;
  const at = (index: number) => (boxes[index]?.level === box.level ? index : null);
  switch (key) {
    case 'ArrowLeft':
      return at(from - 1);
    case 'ArrowRight':
      return at(from + 1);
    case 'ArrowDown':
      return box.parent < 0 ? null : box.parent;
    case 'ArrowUp': {
      const child = boxes.findIndex(({ parent }) => parent === from);
      return child < 0 ? null : child;
    }
    default:
      return null;
  }
}
