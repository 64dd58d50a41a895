import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  typedef,
  union,
  variable,
} from '#testing/btf-types.ts';
import { neighbourhood, placeInColumns } from './neighbourhood.ts';
import { tableOf } from './type-table-for-tests.ts';

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4), // 1
      struct('list', 16, [
        { name: 'next', type: 3, bitOffset: 0 },
        { name: 'prev', type: 3, bitOffset: 64 },
      ]),
      ptr(2),
      struct('', 8, [
        { name: 'kind', type: 5, bitOffset: 0 },
        { name: 'back', type: 8, bitOffset: 0 },
      ]),
      enumeration('kind', [['A', 0]]), // 5
      typedef('obj_t', 7),
      struct('', 8, [{ name: 'links', type: 9, bitOffset: 0 }]),
      ptr(10),
      array(3, 1, 16),
      modifier('const', 11), // 10
      struct('root', 64, [
        { name: 'n', type: 1, bitOffset: 0 },
        { name: '', type: 4, bitOffset: 64 },
        { name: 'inner', type: 4, bitOffset: 128 },
        { name: 'obj', type: 6, bitOffset: 192 },
        { name: 'run', type: 13, bitOffset: 256 },
        { name: 'opaque', type: 15, bitOffset: 320 },
      ]),
      funcProto(3, [
        ['self', 8],
        ['n', 1],
      ]),
      ptr(12),
      fwd('hidden', 'union'),
      ptr(14), // 15
      func('start', 12),
      variable('all', 9),
      datasec('.bss', 8, [[17, 0, 8]]),
      union('u', 4, [{ name: 'n', type: 1, bitOffset: 0 }]),
    ],
  }).bytes,
);

const edgesOf = (root: number, depth = 1) =>
  neighbourhood(t, typeId(root), depth, 100).edges.map(
    (edge) => `${edge.from} ${edge.label} ${edge.via}> ${edge.to}`,
  );

it('collapses pointers, arrays and modifiers, and takes anonymous members in', () => {
  expect(edgesOf(11)).toEqual([
    '11 kind > 5',
    '11 back const * > 11',
    '11 obj > 6',
    '11 opaque * > 14',
  ]);
});

it('goes on from what it found', () => {
  const { nodes } = neighbourhood(t, typeId(11), 2, 100);
  expect(nodes.map((node) => `${node.type}@${node.depth}`)).toEqual([
    '11@0',
    '5@1',
    '6@1',
    '14@1',
    '2@2',
  ]);
  expect(edgesOf(11, 2)).toContain('6 links * [16] > 2');
});

it.each([
  ['a function: its prototype', 16, ['16 return * > 2', '16 self const * > 11']],
  ['a section: its variables', 18, ['18 all * [16] > 2']],
  ['a pointer', 15, ['15 type > 14']],
  ['a scalar', 1, []],
  ['a union of scalars', 19, []],
  ['an id that does not exist', 99, []],
])('%s', (_what, root, expected) => {
  expect(edgesOf(root)).toEqual(expected);
});

it('stops at the limit and says so', () => {
  const few = neighbourhood(t, typeId(11), 2, 3);
  expect(few.nodes).toHaveLength(3);
  expect(few.truncated).toBe(true);
  const known = new Set(few.nodes.map((node) => node.type));
  expect(few.edges.every((edge) => known.has(edge.from) && known.has(edge.to))).toBe(true);
  expect(neighbourhood(t, typeId(11), 1, 4).truncated).toBe(false);
});

it('places a column for each depth, sorted by its neighbours', () => {
  const { nodes, edges } = neighbourhood(t, typeId(11), 2, 100);
  const places = placeInColumns(nodes, edges);
  expect(places).toEqual([
    { x: 0, y: 0 },
    { x: 1, y: -1 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 2, y: 0 },
  ]);
});

it('uncrosses edges between two columns', () => {
  const node = (type: number, depth: number) => ({ type: typeId(type), depth });
  const edge = (from: number, to: number) => ({
    from: typeId(from),
    to: typeId(to),
    label: '',
    via: '',
  });
  const nodes = [node(1, 0), node(2, 1), node(3, 1), node(4, 2), node(5, 2)];
  const places = placeInColumns(nodes, [edge(1, 2), edge(1, 3), edge(3, 4), edge(2, 5)]);
  expect(places.map((place) => place.y)).toEqual([0, -0.5, 0.5, 0.5, -0.5]);
});
