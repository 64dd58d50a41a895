import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GraphEdge } from '#analysis/neighbourhood.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { BOX_WIDTH, type Box, HEADER_HEIGHT } from './graph-boxes.ts';
import { layoutGraph } from './graph-layout.ts';
import { placeLinks } from './graph-links.ts';
import { graphAround } from './graph-model.ts';

/** [1] int, [2] leaf, [3] leaf *, [4] tree * , [5] tree {left, right, leaf, self} */
async function tree() {
  const model = await openModel(
    'tree.btf',
    btfBlob({
      types: [
        int('int', 4),
        struct('leaf', 4, [{ name: 'value', type: 1, bitOffset: 0 }]),
        ptr(2),
        ptr(5),
        struct('tree', 32, [
          { name: 'left', type: 4, bitOffset: 0 },
          { name: 'right', type: 4, bitOffset: 64 },
          { name: 'leaf', type: 3, bitOffset: 128 },
          { name: 'inner', type: 2, bitOffset: 192 },
        ]),
      ],
    }).bytes,
  );
  if (model.types === null) throw new Error('no types');
  return model.types;
}

describe('layoutGraph', () => {
  it('puts the root into the first column, its neighbours into the next', async () => {
    const types = await tree();
    const { boxes, bounds } = layoutGraph(types, graphAround(types, typeId(5), 2));
    expect(boxes.map(({ name, depth }) => [name, depth])).toEqual([
      ['tree', 0],
      ['leaf', 1],
    ]);
    const [root, leaf] = boxes;
    expect((leaf?.x ?? 0) - (root?.x ?? 0)).toBeGreaterThan(BOX_WIDTH);
    expect(bounds.width).toBe((leaf?.x ?? 0) + BOX_WIDTH - (root?.x ?? 0));
    expect(root?.height).toBeGreaterThan(leaf?.height ?? 0);
  });

  it('draws edges between the same two types as one', async () => {
    const types = await tree();
    const { links } = layoutGraph(types, graphAround(types, typeId(5), 1));
    expect(links.map(({ from, to, text }) => [from, to, text])).toEqual([
      [5, 5, 'left *, right *'],
      [5, 2, 'leaf *, inner'],
    ]);
  });

  it('keeps boxes of a column apart', async () => {
    const model = await openModel(
      'wide.btf',
      btfBlob({
        types: [
          ...Array.from({ length: 50 }, (_, i) => struct(`s${i}`, 8, [])),
          struct(
            'wide',
            400,
            Array.from({ length: 50 }, (_, i) => ({
              name: `m${i}`,
              type: i + 1,
              bitOffset: 64 * i,
            })),
          ),
        ],
      }).bytes,
    );
    if (model.types === null) throw new Error('no types');
    const { boxes } = layoutGraph(model.types, graphAround(model.types, typeId(51), 1));
    const column = boxes.filter(({ depth }) => depth === 1).sort((a, b) => a.y - b.y);
    expect(column).toHaveLength(50);
    column.reduce((above, box) => {
      expect(box.y).toBeGreaterThan(above.y + above.height);
      return box;
    });
  });
});

const box = (type: number, depth: number, y: number, rows: readonly string[] = []): Box => ({
  type: typeId(type),
  kind: 4,
  name: `t${type}`,
  size: '8',
  rows: rows.map((name, index) => ({ index, name })),
  rowsLeftOut: 0,
  depth,
  x: depth * 400,
  y,
  height: HEADER_HEIGHT + 17 * rows.length,
});

const edge = (from: number, to: number, label = 'm', via = ''): GraphEdge => ({
  from: typeId(from),
  to: typeId(to),
  label,
  via,
});

const startOf = (path: string) => /^M(-?[\d.]+) (-?[\d.]+)/.exec(path)?.slice(1).map(Number);

describe('placeLinks', () => {
  it('begins an edge at the row of its member, that of an inner member at the outer one', () => {
    const boxes = [box(1, 0, 0, ['a', 'b']), box(2, 1, 0), box(3, 1, 60), box(4, 1, 120)];
    const links = placeLinks([edge(1, 2, 'a'), edge(1, 3, 'b.c'), edge(1, 4, 'z')], boxes);
    const [a, b, z] = links.map(({ path }) => startOf(path)?.[1] ?? 0);
    expect((b ?? 0) - (a ?? 0)).toBe(17);
    expect(z).toBeGreaterThan(a ?? 0);
    expect(links.every(({ path }) => startOf(path)?.[0] === BOX_WIDTH)).toBe(true);
  });

  it('tells how many labels it leaves out', () => {
    const edges = ['a', 'b', 'c', 'd'].map((label) => edge(1, 2, label, '* '));
    expect(placeLinks(edges, [box(1, 0, 0), box(2, 1, 0)])[0]?.text).toBe('a *, b * +2');
  });

  it('leads many edges of one box along a trunk', () => {
    const boxes = [box(1, 0, 0), ...Array.from({ length: 9 }, (_, i) => box(2 + i, 1, 60 * i))];
    const few = placeLinks(
      boxes.slice(1, 9).map(({ type }) => edge(1, type)),
      boxes,
    );
    const many = placeLinks(
      boxes.slice(1).map(({ type }) => edge(1, type)),
      boxes,
    );
    expect(few.every(({ path }) => path.includes('C'))).toBe(true);
    expect(many.every(({ path }) => path.includes('H') || path.includes('L'))).toBe(true);
  });

  it('leaves out labels that would lie on each other', () => {
    const boxes = [box(1, 1, 0), ...Array.from({ length: 6 }, (_, i) => box(2 + i, 0, 60 * i))];
    const links = placeLinks(
      boxes.slice(1).map(({ type }) => edge(type, 1)),
      boxes,
    );
    expect(links.map(({ text }) => text)).toEqual(Array.from({ length: 6 }, () => ''));
  });

  it('draws a finite path for every edge, whatever its direction, and none to what is not there', () => {
    const place = fc.record({
      depth: fc.integer({ min: 0, max: 3 }),
      y: fc.integer({ min: -500, max: 500 }),
    });
    const ends = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 1, maxLength: 8 }),
        fc.array(ends),
        (places, pairs) => {
          const boxes = places.map(({ depth, y }, i) => box(i, depth, y));
          const links = placeLinks(
            pairs.map(([from, to]) => edge(from, to)),
            boxes,
          );
          const known = pairs.filter(([from, to]) => from < boxes.length && to < boxes.length);
          expect(links).toHaveLength(new Set(known.map((pair) => pair.join())).size);
          for (const { path } of links) expect(path).not.toMatch(/NaN|Infinity|undefined/);
        },
      ),
    );
  });
});
