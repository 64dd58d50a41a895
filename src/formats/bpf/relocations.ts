/**
 * The relocation types of BPF objects: where each one writes, how wide, and what.
 *
 * Source: bpf-llvm-relocations.rst, "Different Relocation Types". All BPF
 * relocations are REL: the addend A is what the site holds before.
 */

export type BpfRelocationType = {
  /** `ELF64_R_TYPE(r_info)`. */
  readonly rType: number;
  /** As `llvm-readelf -r` prints it; `Unknown` for a number without meaning. */
  readonly name: string;
  /** False for a number that nobody is known to write. */
  readonly known: boolean;
  /** Bytes from `r_offset` to the first byte that is read and written. */
  readonly siteByteDelta: number;
  /** Bits that are read and written; 0 where nothing is. */
  readonly siteBitWidth: number;
  /** What is written, with S the symbol's value and A the addend; null where nothing is. */
  readonly formula: string | null;
  /** One plain sentence on what it is for. */
  readonly description: string;
};

export const BPF_RELOCATION_TYPES: readonly BpfRelocationType[] = [
  {
    rType: 0,
    name: 'R_BPF_NONE',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 0,
    formula: null,
    description: 'Does nothing.',
  },
  {
    rType: 1,
    name: 'R_BPF_64_64',
    known: true,
    siteByteDelta: 4,
    siteBitWidth: 32,
    formula: 'S + A',
    description:
      'The imm of the first half of a ld_imm64 instruction: the address of a map or a global variable.',
  },
  {
    rType: 2,
    name: 'R_BPF_64_ABS64',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 64,
    formula: 'S + A',
    description: 'A 64-bit word of data, such as a pointer in an initialized variable.',
  },
  {
    rType: 3,
    name: 'R_BPF_64_ABS32',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 32,
    formula: 'S + A',
    description: 'A 32-bit word of data, such as an offset in DWARF.',
  },
  {
    rType: 4,
    name: 'R_BPF_64_NODYLD32',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 32,
    formula: 'S + A',
    description:
      'A 32-bit offset in .BTF or .BTF.ext. A run-time linker must leave it as it is: it never becomes an address.',
  },
  {
    rType: 10,
    name: 'R_BPF_64_32',
    known: true,
    siteByteDelta: 4,
    siteBitWidth: 32,
    formula: '(S + A) / 8 - 1',
    description:
      'The imm of a call instruction: the distance to the callee, counted in instructions from the one that follows.',
  },
];

/**
 * What bpf-gcc 12 writes where LLVM writes ABS32 and ABS64: numbers of binutils
 * before 2.41 (`R_BPF_DATA_32`, `R_BPF_DATA_64`). LLVM's tools have no name for them.
 */
const OLD_BINUTILS_TYPES: readonly BpfRelocationType[] = [
  {
    rType: 11,
    name: 'Unknown',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 32,
    formula: 'S + A',
    description:
      'A 32-bit word of data. The number is of binutils before 2.41 (R_BPF_DATA_32); LLVM has no name for it.',
  },
  {
    rType: 12,
    name: 'Unknown',
    known: true,
    siteByteDelta: 0,
    siteBitWidth: 64,
    formula: 'S + A',
    description:
      'A 64-bit word of data. The number is of binutils before 2.41 (R_BPF_DATA_64); LLVM has no name for it.',
  },
];

const BY_NUMBER = new Map(
  [...BPF_RELOCATION_TYPES, ...OLD_BINUTILS_TYPES].map((type) => [type.rType, type]),
);

/** The type with this number. Total: a number that nobody is known to write gives `known: false`. */
export function bpfRelocationType(rType: number): BpfRelocationType {
  return (
    BY_NUMBER.get(rType) ?? {
      rType,
      name: 'Unknown',
      known: false,
      siteByteDelta: 0,
      siteBitWidth: 0,
      formula: null,
      description: `${rType} is not the number of a BPF relocation type, so nobody can say what it changes.`,
    }
  );
}
