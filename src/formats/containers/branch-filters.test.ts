/** Tests the branch filters with machine code that XZ Utils filtered. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeBytes } from '#testing/container-samples.ts';
import { runs } from '#testing/runs.ts';
import { decompress } from './decompress.ts';

const CODE = codeBytes();
const NAMES = ['x86', 'powerpc', 'arm', 'armthumb', 'sparc', 'arm64', 'start', 'two'];

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/code-${name}.xz`, import.meta.url)));
}

const unpack = (packed: Uint8Array) => decompress('xz', packed, { region: 'code', limit: 1 << 20 });

describe('branch filters', () => {
  it.each(NAMES)('%s is undone', async (name) => {
    const { bytes, issues } = await unpack(fixture(name));
    expect(issues).toEqual([]);
    expect(Buffer.compare(bytes, CODE)).toBe(0);
  });

  it.each(NAMES)('%s, truncated anywhere, returns the beginning of the code', async (name) => {
    const packed = fixture(name);
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), async (length) => {
        const { bytes, issues } = await unpack(packed.subarray(0, length));
        expect(issues).toMatchObject([{ code: 'container.truncated' }]);
        expect(Buffer.compare(bytes, CODE.subarray(0, bytes.length))).toBe(0);
      }),
      { numRuns: runs(40) },
    );
  });
});
