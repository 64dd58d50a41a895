import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterOf, readNumbers } from './ByteDetail.tsx';

const bytes = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x80, 0x55);

describe('readNumbers', () => {
  it('reads little-endian', () => {
    expect(readNumbers(bytes, 'little')).toEqual([
      { bits: 8, unsigned: 0xfen, signed: -2n, hex: '0xfe' },
      { bits: 16, unsigned: 0xfffen, signed: -2n, hex: '0xfffe' },
      { bits: 32, unsigned: 0xfffffffen, signed: -2n, hex: '0xfffffffe' },
      {
        bits: 64,
        unsigned: 0x80000000fffffffen,
        signed: -0x7fffffff00000002n,
        hex: '0x80000000fffffffe',
      },
    ]);
  });

  it('reads big-endian', () => {
    expect(readNumbers(bytes, 'big').map(({ hex }) => hex)).toEqual([
      '0xfe',
      '0xfeff',
      '0xfeffffff',
      '0xfeffffff00000080',
    ]);
  });

  it('reads no wider than there are bytes', () => {
    const widths = (n: number) => readNumbers(bytes.subarray(0, n), 'little').map((r) => r.bits);
    expect([0, 1, 3, 4, 7, 8].map(widths)).toEqual([
      [],
      [8],
      [8, 16],
      [8, 16, 32],
      [8, 16, 32],
      [8, 16, 32, 64],
    ]);
  });

  it('agrees with DataView', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), fc.boolean(), (data, little) => {
        const view = new DataView(data.buffer, data.byteOffset);
        const [, , word, double] = readNumbers(data, little ? 'little' : 'big');
        expect(word?.signed).toBe(BigInt(view.getInt32(0, little)));
        expect(double?.signed).toBe(view.getBigInt64(0, little));
        expect(double?.unsigned).toBe(view.getBigUint64(0, little));
      }),
    );
  });
});

it.each([
  [0, 'NUL'],
  [10, 'LF'],
  [0x1b, 'ESC'],
  [0x1f, 'US'],
  [0x20, 'space'],
  [0x41, 'A'],
  [0x7e, '~'],
  [0x7f, 'DEL'],
  [0x80, ''],
  [0xff, ''],
])('the character of byte %d is %j', (byte, text) => {
  expect(characterOf(byte)).toBe(text);
});
