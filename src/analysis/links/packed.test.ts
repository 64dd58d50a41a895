import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { runs } from '#testing/runs.ts';
import { packed, textKey, textOfKey } from './packed.ts';

const PREFIX = 'md1:';

it('gives back every text that it takes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const key = await textKey(PREFIX, text);
      expect(key).toMatch(/^md1:[\w-]+$/);
      expect(await textOfKey(PREFIX, key ?? '')).toBe(text);
    }),
    { numRuns: runs(50) },
  );
});

it('keeps a byte order mark, which is text, too', async () => {
  const key = await textKey(PREFIX, '\ufeff---');
  expect(await textOfKey(PREFIX, key ?? '')).toBe('\ufeff---');
});

it('reports a key that was changed on the way', async () => {
  const key = (await textKey(PREFIX, 'struct foo { int a; };')) ?? '';
  const changed = key.slice(0, 8) + (key[8] === 'A' ? 'B' : 'A') + key.slice(9);
  await expect(textOfKey(PREFIX, changed)).rejects.toThrow(Malformed);
  await expect(textOfKey(PREFIX, PREFIX)).rejects.toThrow(Malformed);
});

it('refuses bytes that are not UTF-8', async () => {
  const key = PREFIX + (await packed(Uint8Array.of(0xff, 0xfe)));
  await expect(textOfKey(PREFIX, key)).rejects.toThrow('not contain text');
});

it('carries no text that is too long, and unpacks none', async () => {
  expect(await textKey(PREFIX, 'a'.repeat((1 << 19) + 1))).toBeNull();
  const bomb = PREFIX + (await packed(new Uint8Array(1 << 20)));
  expect(bomb.length).toBeLessThan(5000);
  await expect(textOfKey(PREFIX, bomb)).rejects.toThrow(Malformed);
});
