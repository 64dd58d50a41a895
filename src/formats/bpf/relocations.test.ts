import { describe, expect, it } from 'vitest';
import { BPF_RELOCATION_TYPES, bpfRelocationType } from './relocations.ts';

describe('bpfRelocationType', () => {
  it.each([
    [0, 'R_BPF_NONE', 0, 0, null],
    [1, 'R_BPF_64_64', 4, 32, 'S + A'],
    [2, 'R_BPF_64_ABS64', 0, 64, 'S + A'],
    [3, 'R_BPF_64_ABS32', 0, 32, 'S + A'],
    [4, 'R_BPF_64_NODYLD32', 0, 32, 'S + A'],
    [10, 'R_BPF_64_32', 4, 32, '(S + A) / 8 - 1'],
  ])('%i is %s', (rType, name, siteByteDelta, siteBitWidth, formula) => {
    const expected = { rType, name, known: true, siteByteDelta, siteBitWidth, formula };
    expect(bpfRelocationType(rType, false)).toMatchObject(expected);
  });

  it.each([5, 9, 13, 77, 0xffffffff])('%i is unknown and patches no bytes', (rType) => {
    expect(bpfRelocationType(rType, false)).toMatchObject({
      rType,
      name: 'Unknown',
      known: false,
      siteBitWidth: 0,
      formula: null,
    });
    expect(bpfRelocationType(rType, false).description).toContain(String(rType));
  });

  it.each([
    [1, 64, 'R_BPF_64_ABS64'],
    [10, 32, 'R_BPF_64_ABS32'],
  ])('%i in data is a word of %i bits at r_offset, as of clang before 13', (rType, bits, later) => {
    const type = bpfRelocationType(rType, true);
    expect(type).toMatchObject({ siteByteDelta: 0, siteBitWidth: bits, formula: 'S + A' });
    expect(type.description).toContain(`LLVM 13 and later write ${later}`);
  });

  it('lists each number once', () => {
    expect(BPF_RELOCATION_TYPES.map((type) => type.rType)).toEqual([0, 1, 2, 3, 4, 10]);
  });

  it.each([
    [11, 32],
    [12, 64],
  ])('%i of bpf-gcc 12 is data of %i bits, which LLVM has no name for', (rType, siteBitWidth) => {
    expect(bpfRelocationType(rType, false)).toMatchObject({
      name: 'Unknown',
      known: true,
      siteBitWidth,
    });
  });
});
