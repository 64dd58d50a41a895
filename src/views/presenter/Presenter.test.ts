import { expect, it } from 'vitest';
import { presentingScale } from './Presenter.tsx';

const TEXT_PX = 14;

it('makes the text of a lesson 22 pixels and more on a projector', () => {
  expect(presentingScale(1440, 900, 0).text * TEXT_PX).toBeGreaterThanOrEqual(22);
  expect(presentingScale(1920, 1080, 0).text * TEXT_PX).toBeGreaterThanOrEqual(29);
});

it('draws a lesson on a larger screen of the same shape in proportion', () => {
  const { text } = presentingScale(1280, 720, 0);
  for (const times of [1.5, 2, 2.5]) {
    const scale = presentingScale(1280 * times, 720 * times, 0);
    // The scale is rounded to hundredths.
    expect(Math.abs(scale.text - text * times)).toBeLessThan(0.02);
  }
});

it('draws text of 12 pixels with 18 on a projector', () => {
  for (const [width, height] of [
    [1280, 720],
    [1440, 900],
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    expect(presentingScale(width, height, 0).tool * 12).toBeGreaterThanOrEqual(18);
    expect(width / presentingScale(width, height, 0).tool).toBeGreaterThanOrEqual(850);
  }
});

it('keeps at least the size of a phone by default', () => {
  expect(presentingScale(390, 844, 0)).toEqual({ tool: 1, text: 1.2 });
  expect(presentingScale(390, 844, -2).tool).toBeLessThan(1);
});

it('grows with each step, and ends somewhere', () => {
  expect(presentingScale(1440, 900, 1).tool).toBeGreaterThan(presentingScale(1440, 900, 0).tool);
  expect(presentingScale(1440, 900, 99)).toEqual({ tool: 3, text: 4 });
});
