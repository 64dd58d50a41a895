import { expect, it } from 'vitest';
import { smallScene } from '#testing/small-graph.ts';
import { boxAfterKey } from './graph-actions.ts';

it('walks along edges and among the boxes of a column', async () => {
  const scene = await smallScene(2);
  const name = (from: number, key: string) => boxAfterKey(scene, from, key)?.text.name ?? null;
  const [root, leaf, mid] = [0, scene.indexOf(2) ?? -1, scene.indexOf(5) ?? -1];
  expect(['leaf', 'mid']).toContain(name(root, 'ArrowRight'));
  expect(name(leaf, 'ArrowLeft')).toBe('root');
  expect(name(root, 'ArrowLeft')).toBeNull();
  expect(name(leaf, 'ArrowDown')).toBe('mid');
  expect(name(mid, 'ArrowUp')).toBe('leaf');
  expect(name(mid, 'ArrowDown')).toBeNull();
  expect(name(mid, 'Home')).toBe('root');
  expect(name(root, 'End')).toBe(scene.box(scene.boxCount - 1).text.name);
  expect(name(root, 'x')).toBeNull();
});
