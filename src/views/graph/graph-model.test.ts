import { describe, expect, it } from 'vitest';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, ptr, struct, type TypeRecord, typedef } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { boxText, edgeText, firstDepth, graphAround, hasNode } from './graph-model.ts';

async function typesOf(types: readonly TypeRecord[]): Promise<TypeTable> {
  const model = await openModel('graph.btf', btfBlob({ types }).bytes);
  if (model.types === null) throw new Error('no types');
  return model.types;
}

/** `count` structs, each with a pointer to all that come after it, so that each is one step from the first. */
function starOf(count: number): TypeRecord[] {
  const leaves = Array.from({ length: count }, (_, i) => struct(`leaf${i}`, 8, []));
  const pointers = leaves.map((_, i) => ptr(i + 1));
  const members = leaves.map((_, i) => ({
    name: `m${i}`,
    type: count + i + 1,
    bitOffset: 64 * i,
  }));
  return [...leaves, ...pointers, struct('star', 8 * count, members)];
}

describe('firstDepth', () => {
  it('is two steps while that is easy to read', async () => {
    expect(firstDepth(await typesOf(starOf(20)), typeId(41))).toBe(2);
    expect(firstDepth(await typesOf(starOf(24)), typeId(49))).toBe(1);
  });
});

it('holds at most 120 types and says when there are more', async () => {
  const types = await typesOf(starOf(130));
  const graph = graphAround(types, typeId(261), 1);
  expect([graph.nodes.length, graph.truncated]).toEqual([120, true]);
  expect(hasNode(graph, typeId(261))).toBe(true);
  expect(hasNode(graph, typeId(130))).toBe(false);
});

describe('boxText', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `m${i}`, type: 1, bitOffset: 32 * i }));

  it('shows all members where there is room', async () => {
    const types = await typesOf([int('int', 4), struct('s\u202e', 8, members(2)), typedef('t', 2)]);
    const text = boxText(types, typeId(2), 8, new Set());
    expect(text).toMatchObject({ kind: 4, name: 's\\u{202e}', size: '8', rowsLeftOut: 0 });
    expect(text.rows).toEqual([
      { index: 0, name: 'm0' },
      { index: 1, name: 'm1' },
    ]);
    expect(boxText(types, typeId(3), 8, new Set()).rows).toHaveLength(2);
  });

  it('prefers members that edges leave from, in the order of the struct', async () => {
    const types = await typesOf([int('int', 4), struct('s', 400, members(100))]);
    const text = boxText(types, typeId(2), 4, new Set(['m90', 'm7']));
    expect(text.rows.map(({ index }) => index)).toEqual([0, 1, 7, 90]);
    expect(text.rowsLeftOut).toBe(96);
  });

  it('says nothing of members where it may show none', async () => {
    const types = await typesOf([int('int', 4), struct('s', 400, members(100))]);
    expect(boxText(types, typeId(2), 0, new Set())).toMatchObject({ rows: [], rowsLeftOut: 0 });
    expect(boxText(types, typeId(99), 8, new Set())).toMatchObject({ name: '[99]', rows: [] });
  });
});

it('writes an edge as its label and what it passes', async () => {
  const types = await typesOf([
    struct('far', 8, []),
    array(1, 1, 4),
    struct('s', 40, [
      { name: 'a', type: 2, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 256 },
    ]),
  ]);
  const root: TypeId = typeId(3);
  expect(graphAround(types, root, 1).edges.map(edgeText)).toEqual(['a [4]', 'b']);
});
