import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textKey } from '#analysis/links/packed.ts';
import { Malformed } from '#bytes/issue.ts';
import { runs } from '#testing/runs.ts';
import {
  fitsWorkbench,
  isDeclarationsKey,
  MAX_DECLARATIONS_BYTES,
  MAX_HEADERS,
} from './declarations.ts';
import { declarationsKey, declarationsOfKey } from './declarations-key.ts';
import { EXAMPLES } from './examples.ts';

it('carries text and byte order there and back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('little' as const, 'big' as const),
      async (text, endian) => {
        const key = (await declarationsKey({ text, endian })) ?? '';
        expect(isDeclarationsKey(key)).toBe(true);
        expect(await declarationsOfKey(key)).toEqual({ text, endian });
      },
    ),
    { numRuns: runs(60) },
  );
});

it('carries headers there and back', async () => {
  const headers = [
    { name: 'maps.h', text: 'struct a { int b; };\n' },
    { name: 'lib/ä.h', text: '' },
  ];
  for (const endian of ['little', 'big'] as const) {
    const key = (await declarationsKey({ text: '#include "maps.h"', endian, headers })) ?? '';
    expect(key).toMatch(/^c1:(be\.)?f\.[\w-]+$/);
    expect(await declarationsOfKey(key)).toEqual({ text: '#include "maps.h"', endian, headers });
  }
});

it.each(['{}', '[]', '[1]', '["", 1]', '["", ["a.h"]]', 'no JSON'])(
  'refuses a link whose files are %s',
  async (carried) => {
    const key = (await textKey('c1:f.', carried)) ?? '';
    await expect(declarationsOfKey(key)).rejects.toThrow(Malformed);
  },
);

it('is short for what people type', async () => {
  for (const { text } of EXAMPLES) {
    const key = await declarationsKey({ text, endian: 'big' });
    expect(key?.length).toBeLessThan(500);
    // A URL can contain all characters of the key without escapes.
    expect(key).toMatch(/^c1:be\.[\w-]+$/);
  }
});

it('takes 1,000,000 bytes and not a byte more', async () => {
  const most = 'a'.repeat(MAX_DECLARATIONS_BYTES);
  expect(fitsWorkbench({ text: most })).toBe(true);
  expect(fitsWorkbench({ text: `${most}a` })).toBe(false);
  expect(fitsWorkbench({ text: 'ä'.repeat(MAX_DECLARATIONS_BYTES / 2) })).toBe(true);
  expect(fitsWorkbench({ text: 'ä'.repeat(MAX_DECLARATIONS_BYTES / 2 + 1) })).toBe(false);
  expect(await declarationsKey({ text: `${most}a`, endian: 'little' })).toBeNull();
});

it('refuses a key that unpacks to more, and one that was changed', async () => {
  const headers = Array.from({ length: MAX_HEADERS + 1 }, (_, i) => [`${i}.h`, '']);
  const bomb = (await textKey('c1:f.', JSON.stringify(['', ...headers]))) ?? '';
  expect(bomb.length).toBeLessThan(2000);
  await expect(declarationsOfKey(bomb)).rejects.toThrow(/more than 200 headers/);
  const key = (await declarationsKey({ text: 'struct s;', endian: 'little' })) ?? '';
  await expect(declarationsOfKey(key.slice(0, -3))).rejects.toThrow(Malformed);
  await expect(declarationsOfKey('c1:')).rejects.toThrow(Malformed);
});
