import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCopy, packOwn } from './transfer.ts';

it('packOwn gives the value itself, and each of its buffers once', () => {
  const bytes = new Uint8Array(8);
  const given = { bytes, same: bytes.subarray(2), lines: new Uint32Array(2), isCut: false };
  const { value, transfer } = packOwn(given);
  expect(value).toBe(given);
  expect(transfer).toEqual([bytes.buffer, given.lines.buffer]);
  const sent = structuredClone(value, { transfer });
  expect(sent.same).toEqual(new Uint8Array(6));
  expect(bytes.byteLength).toBe(0);
});

describe('packCopy', () => {
  it('gives each array a buffer of its own size, not the one it was a window on', () => {
    const big = new Uint8Array(1000);
    const { value, transfer } = packCopy({ names: big.subarray(10, 14), none: null });
    expect(value.names.buffer.byteLength).toBe(4);
    expect(transfer).toEqual([value.names.buffer]);
    expect(big.length).toBe(1000);
  });

  it('copies an array that occurs twice once', () => {
    const shared = new Uint32Array([1, 2]);
    const { value, transfer } = packCopy({ a: shared, b: { c: shared } });
    expect(value.b.c).toBe(value.a);
    expect(transfer).toHaveLength(1);
  });

  it('gives what structuredClone gives', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constant(null),
      fc.bigInt(),
      fc.uint8Array(),
      fc.float64Array(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(leaf, fc.array(tie('tree'), { maxLength: 3 }), fc.object({ maxDepth: 2 })),
    }));
    fc.assert(
      fc.property(tree, (data) => {
        const { value, transfer } = packCopy(data);
        expect(structuredClone(value, { transfer })).toEqual(structuredClone(data));
      }),
    );
  });
});
