import { describe, expect, it } from 'vitest';
import { compactInfoBits } from './table-fields.ts';

describe('the info word of a compact record', () => {
  it.each([
    [1, 'CMRLC_REFLONG', ['type', 'rel_scn', 'count', '_']],
    [4, 'CMRLC_GPDISP', ['type', 'lda_offset']],
    [5, 'CMRLC_BRADDR', ['type', 'rel_scn', '_']],
    [10, 'CMRLC_EXPRESSION', ['type', 'index']],
    [11, 'CMRLC_IMMEDHI', ['type', 'subop', 'br_offset']],
    [12, 'CMRLC_IMMEDLO', ['type', 'subop', 'rel_scn', '_']],
    [14, 'CMRLC_VADJUST', ['type', 'adjust']],
    [31, 'no known type', ['type', '_']],
  ])('of type %i is divided into 32 bits', (type, name, names) => {
    const bits = compactInfoBits(BigInt(type));
    expect(bits[0]?.meaning).toBe(name);
    expect(bits.map((each) => each.name)).toEqual(names);
    expect(bits.reduce((sum, { length }) => sum + length, 0)).toBe(32);
  });
});
