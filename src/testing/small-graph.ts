/** A small type graph for tests: root {leaf *, mid, root *}, mid {leaf *}, leaf {value}. */
import { layoutGraph, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from './btf-blob.ts';
import { int, ptr, struct } from './btf-types.ts';
import { openModel } from './open-model.ts';

/** BTF of the graph: [1] int, [2] leaf, [3] leaf *, [4] root, [5] mid, [6] root *. */
export const SMALL_GRAPH = btfBlob({
  types: [
    int('int', 4),
    struct('leaf', 4, [{ name: 'value', type: 1, bitOffset: 0 }]),
    ptr(2),
    struct('root', 24, [
      { name: 'leaf', type: 3, bitOffset: 0 },
      { name: 'mid', type: 5, bitOffset: 64 },
      { name: 'self', type: 6, bitOffset: 128 },
    ]),
    struct('mid', 8, [{ name: 'deep', type: 3, bitOffset: 0 }]),
    ptr(4),
  ],
}).bytes;

/** Opens the types of the graph; returns the model. */
export async function smallModel() {
  return await openModel('graph.btf', SMALL_GRAPH);
}

/** Returns the type table of the graph. */
export async function smallTypes(): Promise<TypeTable> {
  const { types } = await smallModel();
  if (types === null) throw new Error('no types');
  return types;
}

/** Returns the drawing around `root`, up to `depth` steps away. */
export async function smallScene(depth = 1): Promise<Scene> {
  const types = await smallTypes();
  const request = { selected: 4, depth, open: '', hide: null, path: [], forced: [] };
  return sceneOf(types, layoutGraph(types, request));
}
