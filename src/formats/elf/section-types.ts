/** Section types and flags as in `llvm-readelf -S` 19. Source: System V gABI chapter 4. */
import { numberedNames } from '#bytes/text.ts';
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

const MIPS_TYPES = numberedNames(
  'MIPS_* 0x70000006: REGINFO 0x7000000d: OPTIONS 0x7000001e: DWARF 0x7000002a: ABIFLAGS',
);

/** Section types from SHT_LOPROC on, which each machine (`e_machine`) defines. */
const PROCESSOR_TYPES: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map([
  [EM.mips, MIPS_TYPES],
  [10, MIPS_TYPES],
  [
    EM.arm,
    numberedNames('ARM_* 0x70000001: EXIDX PREEMPTMAP ATTRIBUTES DEBUGOVERLAY OVERLAYSECTION'),
  ],
  [EM.x86_64, numberedNames('0x70000001: X86_64_UNWIND')],
  [105, numberedNames('0x70000003: MSP430_ATTRIBUTES')],
  [164, numberedNames('0x70000000: HEX_ORDERED 0x70000003: HEXAGON_ATTRIBUTES')],
  [
    183,
    numberedNames(
      'AARCH64_* 0x70000004: AUTH_RELR 0x70000007: MEMTAG_GLOBALS_STATIC MEMTAG_GLOBALS_DYNAMIC',
    ),
  ],
  [243, numberedNames('0x70000003: RISCV_ATTRIBUTES')],
]);

/** Returns the section type without `SHT_`; null for a type without a name on the machine. */
export function knownSectionType(shType: number, machine: number): string | null {
  return PROCESSOR_TYPES.get(machine)?.get(shType) ?? TYPES.get(shType) ?? null;
}

/** Returns `sh_type` as `llvm-readelf -S` prints it: a name, or an offset in a range of types. */
export function sectionTypeName(shType: number, machine: number): string {
  const known = knownSectionType(shType, machine);
  if (known !== null) return known;
  const from = (base: number) => `0x${(shType - base).toString(16).toUpperCase()}`;
  if (shType >= 0x80000000) return `LOUSER+${from(0x80000000)}`;
  if (shType >= 0x70000000) return `LOPROC+${from(0x70000000)}`;
  if (shType >= 0x60000000) return `LOOS+${from(0x60000000)}`;
  return `${from(0)}: <unknown>`;
}

const FLAGS = numberedNames(`
  1: W A 4: X 0x10: M 0x20: S 0x40: I 0x80: L 0x100: O 0x200: G 0x400: T 0x800: C 0x200000: R
  0x80000000: E
`);
const PROCESSOR_FLAGS: ReadonlyMap<number, typeof FLAGS> = new Map([
  [EM.x86_64, numberedNames('0x10000000: l')],
  [EM.arm, numberedNames('0x20000000: y')],
]);
const MASK_OS = 0x0ff00000n;
const MASK_PROC = 0xf0000000n;

/** Returns `llvm-readelf -S`'s letters for `sh_flags`: `o`, `p` and `x` are bits without a name. */
export function sectionFlagLetters(shFlags: bigint, machine: number): string {
  let letters = '';
  let rest = shFlags;
  for (const [bit, letter] of [...FLAGS, ...(PROCESSOR_FLAGS.get(machine) ?? [])]) {
    if ((rest & BigInt(bit)) === 0n) continue;
    letters += letter;
    rest &= ~BigInt(bit);
  }
  if ((rest & MASK_OS) !== 0n) letters += 'o';
  if ((rest & MASK_PROC) !== 0n) letters += 'p';
  if ((rest & ~(MASK_OS | MASK_PROC)) !== 0n) letters += 'x';
  return letters;
}
