import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { boxAfterKey } from './graph-keys.ts';
import type { GraphLayout } from './graph-layout.ts';

const box = (type: number, depth: number, y: number) => ({
  type: typeId(type),
  kind: 4,
  name: `t${type}`,
  size: '',
  rows: [],
  rowsLeftOut: 0,
  depth,
  x: depth * 400,
  y,
  height: 30,
});

const link = (from: number, to: number) => ({
  from: typeId(from),
  to: typeId(to),
  text: '',
  textX: 0,
  textY: 0,
  anchor: 'end' as const,
  path: '',
});

/** 1 → 2, 3, 4 in the next column, 3 → 5; 4 → 1 goes back. */
const layout: GraphLayout = {
  boxes: [box(1, 0, 0), box(2, 1, -60), box(3, 1, 10), box(4, 1, 60), box(5, 2, 0)],
  links: [link(1, 2), link(1, 3), link(1, 4), link(3, 5), link(4, 1)],
  bounds: { x: 0, y: 0, width: 0, height: 0 },
};

const reached = (from: number, key: string) => boxAfterKey(layout, typeId(from), key)?.type ?? null;

describe('boxAfterKey', () => {
  it('follows edges to the side, to the box that lies most level', () => {
    expect(reached(1, 'ArrowRight')).toBe(3);
    expect(reached(3, 'ArrowRight')).toBe(5);
    expect(reached(5, 'ArrowLeft')).toBe(3);
    expect(reached(2, 'ArrowLeft')).toBe(1);
  });

  it('stays where no edge leads on', () => {
    expect(reached(2, 'ArrowRight')).toBeNull();
    expect(reached(1, 'ArrowLeft')).toBeNull();
  });

  it('goes up and down within a column', () => {
    expect(reached(2, 'ArrowDown')).toBe(3);
    expect(reached(4, 'ArrowUp')).toBe(3);
    expect(reached(4, 'ArrowDown')).toBeNull();
    expect(reached(2, 'ArrowUp')).toBeNull();
  });

  it('goes to the root and to the last, and knows no other key', () => {
    expect(reached(5, 'Home')).toBe(1);
    expect(reached(1, 'End')).toBe(5);
    expect(reached(1, 'a')).toBeNull();
  });

  it('begins at the root where the type is not in the graph', () => {
    expect(reached(99, 'ArrowRight')).toBe(3);
  });
});
