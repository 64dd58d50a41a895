import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { siteBytes, siteWindow } from './RelocationSite.tsx';

const call = Uint8Array.of(0x85, 0x10, 0, 0, 0xff, 0xff, 0xff, 0xff);
const written = (...args: Parameters<typeof siteBytes>) => siteBytes(...args).map((b) => b.after);

describe('siteBytes', () => {
  it('writes the result into the site, and nowhere else', () => {
    const bytes = siteBytes(call, 0x30, 0x34, 32, 2n, 'little');
    expect(bytes.map((b) => b.after)).toEqual([0x85, 0x10, 0, 0, 2, 0, 0, 0]);
    expect(bytes.map((b) => b.isSite)).toEqual([...Array(4).fill(false), ...Array(4).fill(true)]);
    expect(bytes.map((b) => b.before)).toEqual([...call]);
    expect(bytes[4]?.offset).toBe(0x34);
  });

  it('writes in the byte order of the file', () => {
    expect(written(call, 0, 4, 32, 0x18n, 'big').slice(4)).toEqual([0, 0, 0, 0x18]);
  });

  it('writes negative results as two’s complement', () => {
    expect(written(call, 0, 4, 32, -2n, 'little').slice(4)).toEqual([0xfe, 0xff, 0xff, 0xff]);
  });

  it('leaves everything where the result is not known', () => {
    expect(written(call, 0, 4, 32, null, 'little')).toEqual([...call]);
  });

  it('agrees with DataView', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
        fc.boolean(),
        (value, little) => {
          const view = new DataView(new ArrayBuffer(8));
          view.setBigUint64(0, BigInt.asUintN(64, value), little);
          const endian = little ? 'little' : 'big';
          expect(written(new Uint8Array(8), 0, 0, 64, value, endian)).toEqual([
            ...new Uint8Array(view.buffer),
          ]);
        },
      ),
    );
  });
});

describe('siteWindow', () => {
  it('shows the instruction in code, clipped to the section', () => {
    expect(siteWindow(0x30, 16, 0x34, 32, 104)).toEqual({ start: 0x30, end: 0x40 });
    expect(siteWindow(0x60, 16, 0x64, 32, 104)).toEqual({ start: 0x60, end: 104 });
  });

  it('shows the row of eight in data, and more where the site goes on', () => {
    expect(siteWindow(null, 16, 0x0c, 32, 64)).toEqual({ start: 8, end: 16 });
    expect(siteWindow(null, 16, 0x1d, 32, 64)).toEqual({ start: 0x18, end: 0x21 });
  });
});
