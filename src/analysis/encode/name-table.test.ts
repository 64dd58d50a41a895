import { expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { NameTable } from './name-table.ts';

const strings = (text: string) => new ByteReader(new TextEncoder().encode(text), '.debug_str');

it('gives equal names one id, wherever they are, and keeps thousands apart', () => {
  const names = new NameTable(1000);
  const section = strings('\0first\0second\0first\0');
  expect(names.idAt(section, 0)).toBe(0);
  const first = names.idAt(section, 1);
  expect(names.idAt(section, 14)).toBe(first);
  expect(names.idBetween(section, 1)).toBe(first);
  expect(names.idOfText('first')).toBe(first);
  expect(names.text(names.idAt(section, 7))).toBe('second');
  const ids = Array.from({ length: 20_000 }, (_, i) => names.idOfText(`name ${i}`));
  expect(new Set(ids).size).toBe(20_000);
  expect(ids.map((id) => names.text(id))).toEqual(ids.map((_, i) => `name ${i}`));
});

it('refuses strings without an end, and names that overlap beyond the limit', () => {
  const names = new NameTable(1);
  expect(() => names.idAt(strings('endless'), 0)).toThrow(Malformed);
  const long = new ByteReader(new Uint8Array(1 << 20).fill(97, 0, (1 << 20) - 1), '.debug_str');
  expect(() => {
    for (let i = 0; i < 1000; i++) names.idAt(long, i);
  }).toThrow('the names are too long');
});
