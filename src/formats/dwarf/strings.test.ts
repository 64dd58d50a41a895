import { expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import { StringReader } from './strings.ts';

it('searches for no ends of strings beyond the limit of all strings', () => {
  const length = 1 << 20;
  const bytes = new Uint8Array(length).fill(0x61, 0, length - 1);
  let last = 0;
  /** Counts how often the end of the section is read. */
  const counted = new Proxy(bytes, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      last += key === 'indexOf' ? 1 : 0;
      return value.bind(target);
    },
  });
  const section = new ByteReader(counted, '.debug_str', 'little');
  const strings = new StringReader(0);
  let refused = 0;
  for (let count = 0; count < 100; count++) {
    try {
      strings.at(section, 0);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(80);
  expect(last).toBeLessThan(20);
});
