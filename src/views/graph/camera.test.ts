import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { type Camera, firstCamera, fitCamera, showingBox, zoomed } from './camera.ts';
import { BOX_WIDTH, type Box } from './graph-boxes.ts';

const size = { width: 1000, height: 600 };

const box = (x: number, y: number, height = 30): Box => ({
  type: typeId(1),
  kind: 4,
  name: 's',
  size: '',
  rows: [],
  rowsLeftOut: 0,
  depth: 0,
  x,
  y,
  height,
});

const seen = (camera: Camera, x: number, y: number) => [
  x * camera.scale + camera.x,
  y * camera.scale + camera.y,
];

describe('fitCamera', () => {
  it('centres a small graph at its own size', () => {
    const camera = fitCamera({ x: -100, y: -50, width: 200, height: 100 }, size);
    expect(camera.scale).toBe(1);
    expect(seen(camera, 0, 0)).toEqual([500, 300]);
  });

  it('makes a large one smaller, until all of it is in sight', () => {
    const camera = fitCamera({ x: 0, y: 0, width: 4000, height: 600 }, size);
    expect(seen(camera, 0, 0)[0]).toBeCloseTo(24);
    expect(seen(camera, 4000, 0)[0]).toBeCloseTo(976);
  });
});

describe('firstCamera', () => {
  it('begins with the whole graph where it can be read', () => {
    const bounds = { x: -112, y: -200, width: 900, height: 400 };
    expect(firstCamera(bounds, box(-112, -15), size)).toEqual(fitCamera(bounds, size));
  });

  it('begins at the root, at a size that can be read, where it cannot', () => {
    const bounds = { x: -112, y: -3000, width: 1400, height: 6000 };
    const camera = firstCamera(bounds, box(-112, -100, 200), size);
    expect(camera.scale).toBeGreaterThan(0.6);
    expect(seen(camera, -112, 0)).toEqual([24, 300]);
  });
});

it('keeps the held point where it is while it zooms, within limits', () => {
  const point = { x: 300, y: 200 };
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (factor) => {
      const camera = { x: 40, y: -30, scale: 0.8 };
      const next = zoomed(camera, factor, point);
      const under = [(point.x - camera.x) / camera.scale, (point.y - camera.y) / camera.scale];
      const [x = 0, y = 0] = seen(next, under[0] ?? 0, under[1] ?? 0);
      expect(x).toBeCloseTo(300);
      expect(y).toBeCloseTo(200);
      expect(next.scale).toBeGreaterThanOrEqual(0.05);
      expect(next.scale).toBeLessThanOrEqual(3);
    }),
  );
});

describe('showingBox', () => {
  const camera = { x: 0, y: 0, scale: 1 };

  it('stays where the box is in sight', () => {
    expect(showingBox(camera, box(100, 100), size)).toEqual(camera);
  });

  it('moves as little as needed', () => {
    expect(showingBox(camera, box(-50, 100), size)).toEqual({ ...camera, x: 74 });
    expect(showingBox(camera, box(100, 590), size)).toEqual({ ...camera, y: 600 - 24 - 620 });
    const right = showingBox(camera, box(900, 0), size);
    expect(right.x).toBe(1000 - 24 - (900 + BOX_WIDTH));
  });

  it('shows the head of a box that is higher than the page', () => {
    expect(showingBox(camera, box(100, 500, 5000), size).y).toBe(24 - 500);
  });
});
