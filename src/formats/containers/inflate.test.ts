import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#testing/runs.ts';
import { decompress } from './decompress.ts';
import { inflate } from './inflate.ts';
import { PackedInput } from './packed-input.ts';
import { UnpackedOutput } from './unpacked-output.ts';

function inflated(packed: Uint8Array): { readonly bytes: Uint8Array; readonly rest: number } {
  const input = new PackedInput(packed, 'test');
  const output = new UnpackedOutput('test', 1 << 24, packed.length);
  for (const _ of inflate(input, output)) {
    // Nothing to do here: `next` does the work.
  }
  return { bytes: output.finish(), rest: input.remaining };
}

/** Test data like in real files: runs, repeated parts, and noise. */
const data = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(1000)).map(([byte, n]) => new Uint8Array(n).fill(byte)),
      fc.constantFrom('struct ', 'unsigned int ', '__u32 ').map((s) => new TextEncoder().encode(s)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

const strategies = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FILTERED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FIXED,
];

describe('inflate', () => {
  it('inverts zlib, at every level and strategy, and stops at the end', () => {
    fc.assert(
      fc.property(
        data,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(...strategies),
        fc.nat(9),
        (plain, level, strategy, trailing) => {
          const packed = deflateRawSync(plain, { level, strategy });
          const result = inflated(
            Uint8Array.from([...packed, ...new Uint8Array(trailing).fill(1)]),
          );
          expect(Buffer.compare(result.bytes, plain)).toBe(0);
          expect(result.rest).toBe(trailing);
        },
      ),
    );
  });

  it('unpacks gzip of any number of members', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 5 }), async (members) => {
        const packed = Uint8Array.from(members.flatMap((member) => [...gzipSync(member)]));
        const { bytes, issues } = await decompress('gzip', packed, { region: 'f', limit: 1 << 24 });
        expect(issues).toEqual([]);
        expect(Buffer.compare(bytes, Buffer.concat(members))).toBe(0);
      }),
      { numRuns: runs(40) },
    );
  });

  it('takes thousands of members without a deep stack', async () => {
    const member = gzipSync('x');
    const packed = new Uint8Array(member.length * 20_000);
    for (let i = 0; i < 20_000; i++) packed.set(member, i * member.length);
    const { bytes, issues } = await decompress('gzip', packed, { region: 'f', limit: 1 << 20 });
    expect(issues).toEqual([]);
    expect(bytes.length).toBe(20_000);
  });

  it('reports a stream that ends between two blocks as truncated', () => {
    const block = [0, 3, 0, 0xfc, 0xff, 0x61, 0x62, 0x63];
    expect(() => inflated(Uint8Array.from(block))).toThrowError(
      expect.objectContaining({ issue: expect.objectContaining({ code: 'container.truncated' }) }),
    );
    const whole = inflated(Uint8Array.from([...block, 1, ...block.slice(1)]));
    expect(new TextDecoder().decode(whole.bytes)).toBe('abcabc');
  });

  // A block begins with three bits, the lowest first (RFC 1951, section 3.2.3).
  it.each([
    ['a block type of 3', [0b111]],
    ['a stored length without its complement', [0b001, 5, 0, 5, 0]],
    ['a distance before the start', [0x03, 0x02]],
    ['too many length codes', [0b11111101, 0xff, 0xff]],
    // Blocks with fixed codes: the letter "a", then an invalid length code or distance code.
    ['a length code above 285', [0x4b, 0x1c, 0x03, 0x00]],
    ['a distance code above 29', [0x4b, 0x04, 0x3e, 0x00]],
  ])('%s is damage', (_what, bytes) => {
    expect(() => inflated(Uint8Array.from([...bytes, 0, 0, 0, 0]))).toThrowError(
      expect.objectContaining({ issue: expect.objectContaining({ code: 'container.corrupt' }) }),
    );
  });
});
