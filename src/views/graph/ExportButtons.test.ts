import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pngScale } from './ExportButtons.tsx';

it('is as sharp as the browser can make it', () => {
  expect(pngScale(1000, 800)).toBe(2);
  const side = fc.integer({ min: 1, max: 200_000 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const k = pngScale(width, height);
      expect(k).toBeGreaterThan(0);
      expect(Math.max(width, height) * k).toBeLessThanOrEqual(16_000.001);
      expect(width * height * k * k).toBeLessThanOrEqual(120_000_001);
    }),
  );
});
