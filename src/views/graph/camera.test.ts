import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallScene } from '#testing/small-graph.ts';
import {
  boxesAsElements,
  boxesIn,
  firstCamera,
  fitCamera,
  focusCamera,
  showingBox,
  tiled,
  windowOf,
} from './camera.ts';

const SIZE = { width: 800, height: 600 };

describe('fitCamera', () => {
  it('centres small graphs and never enlarges them', () => {
    const camera = fitCamera({ x: -50, y: 100, width: 100, height: 50 }, SIZE);
    expect(camera).toEqual({ k: 1, x: 400, y: 175 });
  });

  it('has everything in sight, as far as the least scale goes', () => {
    const side = fc.integer({ min: 1, max: 15_000 });
    const place = fc.integer({ min: -9000, max: 9000 });
    fc.assert(
      fc.property(place, place, side, side, (x, y, width, height) => {
        const window = windowOf(fitCamera({ x, y, width, height }, SIZE), SIZE);
        expect(window.left).toBeLessThanOrEqual(x);
        expect(window.top).toBeLessThanOrEqual(y);
        expect(window.right).toBeGreaterThanOrEqual(x + width);
        expect(window.bottom).toBeGreaterThanOrEqual(y + height);
      }),
    );
  });
});

it('begins with all of a small graph, and with the root of a large one', async () => {
  const scene = await smallScene();
  const root = scene.box(0);
  expect(firstCamera(scene.picture.bounds, root, SIZE)).toEqual(
    fitCamera(scene.picture.bounds, SIZE),
  );
  const huge = { x: root.x, y: -20_000, width: 5000, height: 40_000 };
  const camera = firstCamera(huge, root, SIZE);
  expect(camera.k).toBeGreaterThanOrEqual(0.7);
  expect(boxesIn(scene, windowOf(camera, SIZE))).toContain(0);
});

it('moves as little as shows a box, and not at all for one in sight', async () => {
  const scene = await smallScene();
  const box = scene.box(1);
  const away = { k: 1, x: -9000, y: 9000 };
  const shown = showingBox(away, box, SIZE);
  expect(boxesIn(scene, windowOf(shown, SIZE))).toContain(1);
  expect(showingBox(shown, box, SIZE)).toEqual(shown);
  const focused = focusCamera({ k: 0.1, x: 0, y: 0 }, box, SIZE);
  expect(focused.k).toBe(0.9);
  expect(focused.x + (box.x + box.width / 2) * focused.k).toBeCloseTo(400);
});

it('grows a window to tiles that hold it', () => {
  expect(tiled({ left: -1, top: 0, right: 1, bottom: 256 })).toEqual({
    left: -256,
    top: 0,
    right: 256,
    bottom: 256,
  });
});

it('draws boxes as elements up close: those near, else those in sight, else none', async () => {
  const scene = await smallScene();
  const many = (count: number) => Array.from({ length: count }, () => 0);
  expect(boxesAsElements(scene, 1, many(1), many(2))).toEqual(many(2));
  expect(boxesAsElements(scene, 1, many(1), many(1000))).toEqual(many(1));
  expect(boxesAsElements(scene, 1, many(1000), many(1000))).toEqual([]);
  expect(boxesAsElements(scene, 0.2, many(1), many(2))).toEqual([]);
});
