import { expect, it } from 'vitest';
import { hexBytes } from '#ui/hex-marks.ts';
import { base64Text, cArrayText } from './SelectionBar.tsx';

it('copies as hex', () => {
  expect(hexBytes(Uint8Array.of(0x18, 1, 0, 0xff))).toBe('18 01 00 ff');
});

it('copies as a C array of twelve bytes to a line', () => {
  expect(
    cArrayText(
      Uint8Array.from({ length: 14 }, (_, i) => i),
      0x40,
    ),
  ).toBe(
    [
      '/* file offset 0x40 */',
      'unsigned char bytes[14] = {',
      '  0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,',
      '  0x0c, 0x0d',
      '};',
      '',
    ].join('\n'),
  );
});

it('copies as base64, of any length', () => {
  expect(
    [[], [0x66], [0x66, 0x6f], [0xff, 0xfe, 0xfd]].map((b) => base64Text(Uint8Array.from(b))),
  ).toEqual(['', 'Zg==', 'Zm8=', '//79']);
  const long = Uint8Array.from({ length: 20_001 }, (_, i) => i);
  expect(base64Text(long)).toBe(Buffer.from(long).toString('base64'));
});
