import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { ecoffObject } from '#testing/ecoff-object.ts';
import { LITERAL_USES } from '#testing/ecoff-samples.ts';
import { readEcoff } from './ecoff-file.ts';

/** Packs as the format says: each byte is a hit in the table under the running hash, or follows. */
function pack(object: Uint8Array): Uint8Array {
  const out: number[] = [];
  const kept = new Uint8Array(4096);
  let hash = 0;
  for (let start = 0; start < object.length; start += 8) {
    const control = out.push(0) - 1;
    for (const [bit, byte] of object.subarray(start, start + 8).entries()) {
      if (kept[hash] !== byte) {
        out[control] = (out[control] ?? 0) | (1 << bit);
        out.push(byte);
        kept[hash] = byte;
      }
      hash = ((hash << 4) ^ byte) & 0xfff;
    }
  }
  const bytes = new Uint8Array(40 + out.length);
  bytes.set([0x88, 0x01]);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(object.length), true);
  bytes.set(out, 40);
  return bytes;
}

describe('a compressed object', () => {
  it('unpacks to the object and is read as it', () => {
    const object = ecoffObject(LITERAL_USES);
    const file = readEcoff(pack(object), []);
    expect(file?.bytes).toEqual(object);
    expect(file?.compressed?.streamOffset).toBe(40);
  });

  it('unpacks any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const object = new Uint8Array([...ecoffObject(LITERAL_USES), ...tail]);
        expect(readEcoff(pack(object), [])?.bytes).toEqual(object);
      }),
    );
  });

  it.each([
    [
      'a size that cannot be',
      (bytes: Uint8Array) => bytes.fill(0xff, 24, 32),
      'ecoff.compressed-size',
      24,
    ],
    [
      'a stream that is cut',
      (bytes: Uint8Array) => bytes.subarray(0, 200),
      'ecoff.compressed-cut',
      200,
    ],
    [
      'no room for its size',
      (bytes: Uint8Array) => bytes.subarray(0, 30),
      'bytes.out-of-bounds',
      0,
    ],
  ])('with %s is an issue', (_what, damage, code, start) => {
    const issues: Issue[] = [];
    expect(readEcoff(damage(pack(ecoffObject(LITERAL_USES))), issues)).toBeNull();
    expect(issues).toMatchObject([{ code, span: { start } }]);
  });

  it('whose stream ends early says where', () => {
    const issues: Issue[] = [];
    const packed = pack(ecoffObject(LITERAL_USES));
    expect(readEcoff(packed.subarray(0, packed.length - 1), issues)).toBeNull();
    expect(issues).toMatchObject([
      { code: 'ecoff.compressed-cut', span: { start: packed.length - 1 } },
    ]);
  });

  it('does not hold another one', () => {
    const issues: Issue[] = [];
    expect(readEcoff(pack(pack(ecoffObject(LITERAL_USES))), issues)).toBeNull();
    expect(issues).toMatchObject([{ code: 'ecoff.compressed-twice' }]);
  });
});
