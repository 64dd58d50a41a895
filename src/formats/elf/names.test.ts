/** Tests the names of ELF numbers against the output of llvm-readelf 19. */
import { describe, expect, it } from 'vitest';
import {
  fileTypeConstant,
  fileTypeName,
  osAbiName,
  reservedSectionName,
  symbolBindingName,
  symbolTypeName,
  symbolVisibilityName,
} from './constants.ts';
import { machineName } from './machines.ts';
import { knownSectionType, sectionFlagLetters, sectionTypeName } from './section-types.ts';

const BPF = 247;

describe('section types', () => {
  it.each([
    [0, BPF, 'NULL'],
    [9, BPF, 'REL'],
    [12, BPF, '0xC: <unknown>'],
    [0x12, BPF, 'SYMTAB SECTION INDICES'],
    [0x40000014, BPF, 'CREL'],
    [0x5fffffff, BPF, '0x5FFFFFFF: <unknown>'],
    [0x60000003, BPF, 'LOOS+0x3'],
    [0x6fff4c03, BPF, 'LLVM_ADDRSIG'],
    [0x6ffffff6, BPF, 'GNU_HASH'],
    [0x70000001, BPF, 'LOPROC+0x1'],
    [0x70000001, 62, 'X86_64_UNWIND'],
    [0x70000001, 40, 'ARM_EXIDX'],
    [0x70000003, 243, 'RISCV_ATTRIBUTES'],
    [0x7000002a, 8, 'MIPS_ABIFLAGS'],
    [0xffffffff, BPF, 'LOUSER+0x7FFFFFFF'],
  ])('%i on machine %i is %s', (type, machine, name) => {
    expect(sectionTypeName(type, machine)).toBe(name);
  });

  it('have a name only if the number is known', () => {
    expect(knownSectionType(0x70000001, BPF)).toBeNull();
    expect(knownSectionType(0x70000001, 62)).toBe('X86_64_UNWIND');
  });
});

describe('section flags', () => {
  it.each([
    [0n, BPF, ''],
    [6n, BPF, 'AX'],
    [0x32n, BPF, 'AMS'],
    [0x840n, BPF, 'IC'],
    [0x80000000n, BPF, 'E'],
    [0x100001n, 62, 'Wo'],
    [0x10000000n, 62, 'l'],
    [0x10000000n, BPF, 'p'],
    [0x20000006n, 40, 'AXy'],
    [1n << 63n, BPF, 'x'],
  ])('0x%x on machine %i are "%s"', (flags, machine, letters) => {
    expect(sectionFlagLetters(flags, machine)).toBe(letters);
  });
});

describe('symbols', () => {
  it('have a type', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 10].map(symbolTypeName)).toEqual(
      'NOTYPE OBJECT FUNC SECTION FILE COMMON TLS IFUNC'.split(' '),
    );
    expect([7, 12, 13].map(symbolTypeName)).toEqual([
      '<unknown>: 7',
      '<OS specific>: 12',
      '<processor specific>: 13',
    ]);
  });

  it('have a binding', () => {
    expect([0, 1, 2, 10, 3, 15].map(symbolBindingName)).toEqual(
      'LOCAL GLOBAL WEAK UNIQUE 3 f'.split(' '),
    );
  });

  it('have a visibility', () => {
    expect([0, 1, 2, 3, 0x60].map((other) => symbolVisibilityName(other))).toEqual([
      'DEFAULT',
      'INTERNAL',
      'HIDDEN',
      'PROTECTED',
      'DEFAULT [<other: 0x60>]',
    ]);
  });

  it.each([
    [0, 'UND'],
    [1, null],
    [60000, null],
    [0xff01, 'PRC[0xff01]'],
    [0xff20, 'OS[0xff20]'],
    [0xfff1, 'ABS'],
    [0xfff2, 'COM'],
    [0xfff5, 'RSV[0xfff5]'],
    [0xffff, null],
  ])('lie in %i: %s', (shndx, name) => {
    expect(reservedSectionName(shndx)).toBe(name);
  });
});

describe('the header', () => {
  it.each([
    [0, 'None'],
    [3, 'Intel 80386'],
    [62, 'Advanced Micro Devices X86-64'],
    [183, 'AArch64'],
    [243, 'RISC-V'],
    [247, 'EM_BPF'],
    [263, 'EM_SBPF'],
    [258, 'LoongArch'],
    [0xabcd, null],
  ])('names machine %i %s', (machine, name) => {
    expect(machineName(machine)).toBe(name);
  });

  it('names the file type', () => {
    expect([0, 1, 2, 3, 4, 5, 0xfe00, 0xffff].map(fileTypeName)).toEqual([
      'none',
      'relocatable',
      'executable',
      'shared object',
      'core dump',
      'unknown 0x5',
      'system-specific 0xfe00',
      'processor-specific 0xffff',
    ]);
    expect([fileTypeConstant(1), fileTypeConstant(5)]).toEqual(['ET_REL', null]);
  });

  it('names the system', () => {
    expect([0, 3, 255, 99].map(osAbiName)).toEqual([
      'UNIX - System V',
      'UNIX - GNU',
      'Standalone App',
      null,
    ]);
  });
});
