import { expect, it } from 'vitest';
import { faded, GLIDE_MS, glideAt, strengthAt, withPoint } from './Laser.tsx';

const from = { x: 10, y: 100 };
const to = { x: 210, y: 0 };

it('glides from one end to the other and stays there', () => {
  expect(glideAt(from, to, 1000, 900)).toEqual(from);
  expect(glideAt(from, to, 1000, 1000)).toEqual(from);
  expect(glideAt(from, to, 1000, 1000 + GLIDE_MS / 2)).toEqual({ x: 110, y: 50 });
  expect(glideAt(from, to, 1000, 1000 + GLIDE_MS)).toEqual(to);
  expect(glideAt(from, to, 1000, 9000)).toEqual(to);
});

it('never goes back along the path', () => {
  let last = from.x;
  for (let at = 0; at <= GLIDE_MS; at += 10) {
    const { x } = glideAt(from, to, 0, at);
    expect(x).toBeGreaterThanOrEqual(last);
    last = x;
  }
});

it('forgets the trail as it fades', () => {
  const trail = withPoint(withPoint([], { ...from, at: 0 }), { ...to, at: 100 });
  expect(trail).toHaveLength(2);
  expect(faded(trail, 200)).toEqual([{ ...to, at: 100 }]);
  expect(strengthAt({ ...to, at: 100 }, 100)).toBe(1);
  expect(strengthAt({ ...to, at: 100 }, 500)).toBe(0);
});
