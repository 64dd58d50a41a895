import { expect, it } from 'vitest';
import { shownText } from './NeedsPanel.tsx';

it('shows short texts whole, and cuts long ones behind a line', () => {
  expect(shownText('a\nb')).toEqual({ text: 'a\nb', isCut: false });
  const line = `${'x'.repeat(99)}\n`;
  const { text, isCut } = shownText(line.repeat(3_000));
  expect(isCut).toBe(true);
  expect(text.length).toBe(200_000);
  expect(text.endsWith('\n')).toBe(true);
  expect(shownText('y'.repeat(300_000)).text.length).toBe(200_000);
});
