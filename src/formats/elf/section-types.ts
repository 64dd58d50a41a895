/**
 * Section types and flags in the words of `llvm-readelf -S`.
 *
 * Source: System V gABI chapter 4 "Sections"; the processors' own types from
 * their supplements, as llvm-readelf 19 prints them.
 */

import { numberedNames } from '#bytes/numbered-names.ts';
import { EM } from './constants.ts';

const TYPES: ReadonlyMap<number, string> = new Map([
  [18, 'SYMTAB SECTION INDICES'],
  ...numberedNames(`
    NULL PROGBITS SYMTAB STRTAB RELA HASH DYNAMIC NOTE NOBITS REL SHLIB DYNSYM 14: INIT_ARRAY
    FINI_ARRAY PREINIT_ARRAY GROUP 19: RELR 0x40000014: CREL 0x60000001: ANDROID_REL
    ANDROID_RELA 0x6fff4c00: LLVM_ODRTAB LLVM_LINKER_OPTIONS 0x6fff4c03: LLVM_ADDRSIG
    LLVM_DEPENDENT_LIBRARIES LLVM_SYMPART LLVM_PART_EHDR LLVM_PART_PHDR LLVM_BB_ADDR_MAP_V0
    LLVM_CALL_GRAPH_PROFILE LLVM_BB_ADDR_MAP LLVM_OFFLOADING LLVM_LTO 0x6fffff00: ANDROID_RELR
    0x6ffffff5: ATTRIBUTES GNU_HASH 0x6ffffffd: VERDEF VERNEED VERSYM
  `),
]);

const MIPS_TYPES: ReadonlyMap<number, string> = new Map([
  [0x70000006, 'MIPS_REGINFO'],
  [0x7000000d, 'MIPS_OPTIONS'],
  [0x7000001e, 'MIPS_DWARF'],
  [0x7000002a, 'MIPS_ABIFLAGS'],
]);

/** `e_machine` → its own section types: the range from SHT_LOPROC means another thing on each. */
const PROCESSOR_TYPES: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map([
  [EM.mips, MIPS_TYPES],
  [10, MIPS_TYPES],
  [
    EM.arm,
    new Map([
      [0x70000001, 'ARM_EXIDX'],
      [0x70000002, 'ARM_PREEMPTMAP'],
      [0x70000003, 'ARM_ATTRIBUTES'],
      [0x70000004, 'ARM_DEBUGOVERLAY'],
      [0x70000005, 'ARM_OVERLAYSECTION'],
    ]),
  ],
  [EM.x86_64, new Map([[0x70000001, 'X86_64_UNWIND']])],
  [105, new Map([[0x70000003, 'MSP430_ATTRIBUTES']])],
  [
    164,
    new Map([
      [0x70000000, 'HEX_ORDERED'],
      [0x70000003, 'HEXAGON_ATTRIBUTES'],
    ]),
  ],
  [
    183,
    new Map([
      [0x70000004, 'AARCH64_AUTH_RELR'],
      [0x70000007, 'AARCH64_MEMTAG_GLOBALS_STATIC'],
      [0x70000008, 'AARCH64_MEMTAG_GLOBALS_DYNAMIC'],
    ]),
  ],
  [243, new Map([[0x70000003, 'RISCV_ATTRIBUTES']])],
]);

/** SHT_* without its prefix; null for a type that has no name on this machine. */
export function knownSectionType(shType: number, machine: number): string | null {
  return PROCESSOR_TYPES.get(machine)?.get(shType) ?? TYPES.get(shType) ?? null;
}

/** `sh_type` as `llvm-readelf -S` prints it; a type without a name as its place in its range. */
export function sectionTypeName(shType: number, machine: number): string {
  const known = knownSectionType(shType, machine);
  if (known !== null) return known;
  const from = (base: number) => `0x${(shType - base).toString(16).toUpperCase()}`;
  if (shType >= 0x80000000) return `LOUSER+${from(0x80000000)}`;
  if (shType >= 0x70000000) return `LOPROC+${from(0x70000000)}`;
  if (shType >= 0x60000000) return `LOOS+${from(0x60000000)}`;
  return `${from(0)}: <unknown>`;
}

const FLAGS: readonly (readonly [bit: bigint, letter: string])[] = [
  [0x1n, 'W'],
  [0x2n, 'A'],
  [0x4n, 'X'],
  [0x10n, 'M'],
  [0x20n, 'S'],
  [0x40n, 'I'],
  [0x80n, 'L'],
  [0x100n, 'O'],
  [0x200n, 'G'],
  [0x400n, 'T'],
  [0x800n, 'C'],
  [0x200000n, 'R'],
  [0x80000000n, 'E'],
];
const MASK_OS = 0x0ff00000n;
const MASK_PROC = 0xf0000000n;

/** `sh_flags` as the letters of `llvm-readelf -S`; `o`, `p`, `x` stand for bits without a name. */
export function sectionFlagLetters(shFlags: bigint, machine: number): string {
  let letters = '';
  let rest = shFlags;
  for (const [bit, letter] of processorFlags(machine)) {
    if ((rest & bit) === 0n) continue;
    letters += letter;
    rest &= ~bit;
  }
  if ((rest & MASK_OS) !== 0n) letters += 'o';
  if ((rest & MASK_PROC) !== 0n) letters += 'p';
  if ((rest & ~(MASK_OS | MASK_PROC)) !== 0n) letters += 'x';
  return letters;
}

function processorFlags(machine: number): readonly (readonly [bigint, string])[] {
  if (machine === EM.x86_64) return [...FLAGS, [0x10000000n, 'l']];
  if (machine === EM.arm) return [...FLAGS, [0x20000000n, 'y']];
  return FLAGS;
}
