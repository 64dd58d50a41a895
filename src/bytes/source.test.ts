import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '#testing/runs.ts';
import { type ByteSource, bufferSource, inMemoryIfSmall, readAhead } from './source.ts';

const BYTES = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 2_654_435_761) >>> 24);

const NONE = new Uint8Array(0);

/** Returns a source over `bytes` that counts how often it is read. */
function counted(bytes: Uint8Array) {
  const inner = bufferSource('counted', bytes);
  let reads = 0;
  const source: ByteSource = {
    ...inner,
    read: (start, end) => {
      reads++;
      return inner.read(start, end);
    },
  };
  return { source, reads: () => reads };
}

it('returns the bytes of the source, in any order and concurrently', async () => {
  const place = fc.integer({ min: -10, max: BYTES.length + 10 });
  const length = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 400_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(place, length), { maxLength: 12 }), async (asked) => {
      const plain = bufferSource('plain', BYTES);
      const ahead = readAhead(plain);
      const both = await Promise.all(
        asked.map(async ([start, size]) => [
          await ahead.read(start, start + size),
          await plain.read(start, start + size),
        ]),
      );
      for (const [ours, theirs] of both) {
        expect(Buffer.compare(ours ?? NONE, theirs ?? NONE)).toBe(0);
      }
    }),
    { numRuns: runs(50) },
  );
});

it('reads a megabyte for thousands of small reads, and a large read directly', async () => {
  const { source, reads } = counted(BYTES);
  const ahead = readAhead(source);
  for (let at = 0; at < 1_000_000; at += 100) await ahead.read(at, at + 100);
  expect(reads()).toBe(1);
  await ahead.read(0, 2_000_000);
  await ahead.read(900_000, 900_008);
  expect(reads()).toBe(2);
});

it('reads a small source once, and a large source only on demand', async () => {
  const small = counted(BYTES);
  const held = await inMemoryIfSmall(small.source);
  expect(await held.read(7, 9)).toEqual(BYTES.subarray(7, 9));
  expect(await held.read(2_999_999, 4_000_000)).toEqual(BYTES.subarray(2_999_999));
  expect(small.reads()).toBe(1);
  const large = counted(new Uint8Array(9 << 20));
  expect(await inMemoryIfSmall(large.source)).toBe(large.source);
  expect(large.reads()).toBe(0);
});
