import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
import { int, ptr } from '#testing/btf-types.ts';
import { SOON } from '#testing/runs.ts';
import { findBtf } from './find-btf.ts';

const TYPES = [int('int', 4), ptr(1)];
const blob = (spec: BtfSpec = {}) => btfBlob({ types: TYPES, ...spec }).bytes;
const LAYOUT = Array.from({ length: 20 }, () => ({ infoSize: 0, elemSize: 0 }));

function around(...parts: readonly Uint8Array[]): Uint8Array {
  const filler = new Uint8Array(1001).fill(0xeb);
  return new Uint8Array(Buffer.concat([filler, ...parts.flatMap((part) => [part, filler])]));
}

describe('findBtf', () => {
  it.each([
    ['little-endian', blob()],
    ['big-endian', blob({ endian: 'big' })],
    ['with the longer header and a layout', blob({ layout: LAYOUT })],
  ])('finds a blob that is %s, to the byte', (_what, bytes) => {
    expect(findBtf(around(bytes))).toEqual({
      span: { start: 1001, end: 1001 + bytes.length },
      typeCount: 2,
      blobCount: 1,
    });
    expect(findBtf(bytes)?.span).toEqual({ start: 0, end: bytes.length });
  });

  it('returns the blob with the most types', () => {
    const large = blob({ types: [...TYPES, ptr(2)] });
    const found = findBtf(around(blob(), large, blob()));
    expect(found).toMatchObject({ typeCount: 3, blobCount: 3 });
    expect(found?.span.start).toBe(1001 + blob().length + 1001);
  });

  it.each([
    ['records that do not fill the section', blob({ header: { typeLen: 24 } })],
    ['an unknown kind', blob({ types: [{ ...ptr(1), kind: 77 }] })],
    ['no types', blob({ types: [] })],
    ['no strings', blob({ header: { strLen: 0 } })],
    ['strings that do not begin with NUL', blob({ strings: Uint8Array.of(65, 0) })],
    ['flags', blob({ header: { flags: 1 } })],
    ['another version', blob({ header: { version: 2 } })],
    ['an end behind that of the bytes', blob().subarray(0, -1)],
  ])('does not take a header with %s', (_what, bytes) => {
    expect(findBtf(bytes)).toBeNull();
  });

  it('takes linear time for bytes full of headers', SOON, () => {
    // Each header claims types up to the end of the bytes, but the last type is too long.
    const header = blob().subarray(0, 24);
    const bytes = new Uint8Array(24 * 40_000);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += 24) {
      const length = bytes.length - at - 28;
      bytes.set(header, at);
      view.setUint32(at + 12, length - (length % 4), true);
      view.setUint32(at + 16, length - (length % 4), true);
      view.setUint32(at + 20, 1, true);
    }
    expect(findBtf(bytes)).toBeNull();
  });

  it('returns only blobs inside the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(60), (noise, cut) => {
        const found = findBtf(new Uint8Array([...noise, ...blob().subarray(cut > 30 ? 0 : cut)]));
        if (cut === 0 || cut > 30) expect(found?.typeCount).toBeGreaterThanOrEqual(2);
        expect(found?.span.end ?? 0).toBeLessThanOrEqual(noise.length + blob().length);
      }),
    );
  });
});
