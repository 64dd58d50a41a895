import { expect, it } from 'vitest';
import { downloadName } from './ExportMenu.tsx';

it.each([
  ['a.btf-to-b.btf.csv', 'a.btf-to-b.btf.csv'],
  ['\u202egpj.exe.c', '_u{202e}gpj.exe.c'],
  ['../..\\a:b|c?.md', '.._.._a_b_c_.md'],
  ['a\nb.dot', 'a_x0ab.dot'],
  ['struct größe.h', 'struct größe.h'],
])('saves %j as %j', (name, saved) => {
  expect(downloadName(name)).toBe(saved);
});

it('keeps the ending of a long name', () => {
  const saved = downloadName(`${'\u{1f600}'.repeat(1000)}.csv`);
  expect(new TextEncoder().encode(saved).length).toBeLessThan(255);
  expect(saved.endsWith('.csv')).toBe(true);
});
