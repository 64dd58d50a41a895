/**
 * Relocation types of BPF objects: which bytes each type changes, and how. Source:
 * bpf-llvm-relocations.rst, "Different Relocation Types". All are REL: the addend A is the old
 * content of the changed bits.
 */
export type BpfRelocationType = {
  /** Number of the type: `ELF64_R_TYPE(r_info)`. */
  readonly rType: number;
  /** Name of the type as `llvm-readelf -r` prints it; `Unknown` for an unknown number. */
  readonly name: string;
  /** False if no known tool writes a relocation with the number. */
  readonly known: boolean;
  /** Offset of the changed bytes, relative to `r_offset`. */
  readonly siteByteDelta: number;
  /** Number of bits that the relocation changes; 0 for none. */
  readonly siteBitWidth: number;
  /** Formula of the new value from the symbol's value S and the addend A; null if there is none. */
  readonly formula: string | null;
  /** One plain sentence about the purpose of the relocation type. */
  readonly description: string;
};

const type = (
  rType: number,
  name: string,
  siteByteDelta: number,
  siteBitWidth: number,
  formula: string | null,
  description: string,
): BpfRelocationType => {
  return { rType, name, known: true, siteByteDelta, siteBitWidth, formula, description };
};

export const BPF_RELOCATION_TYPES: readonly BpfRelocationType[] = [
  type(0, 'R_BPF_NONE', 0, 0, null, 'Does nothing.'),
  type(
    1,
    'R_BPF_64_64',
    4,
    32,
    'S + A',
    'The imm of the first half of a ld_imm64 instruction: the address of a map or a global variable.',
  ),
  type(
    2,
    'R_BPF_64_ABS64',
    0,
    64,
    'S + A',
    'A 64-bit word of data, such as a pointer in an initialized variable.',
  ),
  type(3, 'R_BPF_64_ABS32', 0, 32, 'S + A', 'A 32-bit word of data, such as an offset in DWARF.'),
  type(
    4,
    'R_BPF_64_NODYLD32',
    0,
    32,
    'S + A',
    'A 32-bit offset in .BTF or .BTF.ext. A run-time linker must not change it: it is not an address.',
  ),
  type(
    10,
    'R_BPF_64_32',
    4,
    32,
    '(S + A) / 8 - 1',
    'The imm of a call instruction: the distance to the callee, counted in instructions from the one that follows.',
  ),
];

/** Types ABS32 and ABS64 of bpf-gcc 12: `R_BPF_DATA_32` and `R_BPF_DATA_64` of old binutils. */
const OLD_BINUTILS_TYPES: readonly BpfRelocationType[] = [
  type(
    11,
    'Unknown',
    0,
    32,
    'S + A',
    'A 32-bit word of data. The number is of binutils before 2.41 (R_BPF_DATA_32); LLVM has no name for it.',
  ),
  type(
    12,
    'Unknown',
    0,
    64,
    'S + A',
    'A 64-bit word of data. The number is of binutils before 2.41 (R_BPF_DATA_64); LLVM has no name for it.',
  ),
];

const BY_NUMBER = new Map(
  [...BPF_RELOCATION_TYPES, ...OLD_BINUTILS_TYPES].map((type) => [type.rType, type]),
);

/** Types for instructions that clang before 13 used in data as well (LLVM commit 6a2ea84600ba). */
const IN_DATA = new Map(
  [
    type(
      1,
      'R_BPF_64_64',
      0,
      64,
      'S + A',
      'a 64-bit word of data, as in objects of clang before 13; LLVM 13 and later write R_BPF_64_ABS64',
    ),
    type(
      10,
      'R_BPF_64_32',
      0,
      32,
      'S + A',
      'a 32-bit word of data, as in objects of clang before 13; LLVM 13 and later write R_BPF_64_ABS32',
    ),
  ].map((type) => [type.rType, type]),
);

/** Returns the relocation type `rType`. `inData` is true for a section without SHF_EXECINSTR. */
export function bpfRelocationType(rType: number, inData: boolean): BpfRelocationType {
  return (
    (inData ? IN_DATA.get(rType) : undefined) ??
    BY_NUMBER.get(rType) ?? {
      rType,
      name: 'Unknown',
      known: false,
      siteByteDelta: 0,
      siteBitWidth: 0,
      formula: null,
      description: `${rType} is not the number of a BPF relocation type; its effect is unknown.`,
    }
  );
}
