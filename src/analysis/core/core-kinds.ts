/**
 * The kinds of CO-RE relocations, `enum bpf_core_relo_kind`: "BPF LLVM Relocations", section
 * "Relocation kinds". Short names are those of libbpf's log and llvm-objdump.
 */
export type CoreKindGroup = 'field' | 'type' | 'enum';

export type CoreKind = {
  readonly number: number;
  /** The name in libbpf and llvm-objdump: `byte_off`. */
  readonly name: string;
  /** The name in the kernel headers: `BPF_CORE_FIELD_BYTE_OFFSET`. */
  readonly enumName: string;
  /** The subject of the access string. */
  readonly group: CoreKindGroup;
  /** The value that the instruction gets, as a sentence. */
  readonly about: string;
};

function kind(
  number: number,
  group: CoreKindGroup,
  name: string,
  enumName: string,
  about: string,
): CoreKind {
  return { number, name, enumName: `BPF_CORE_${enumName}`, group, about };
}

/** Number of BPF_CORE_TYPE_ID_LOCAL, the only kind that needs no target. */
export const TYPE_ID_LOCAL = 6;

/** All known kinds; the index is the number. */
export const CORE_KINDS: readonly CoreKind[] = [
  kind(
    0,
    'field',
    'byte_off',
    'FIELD_BYTE_OFFSET',
    'Offset of the field in bytes from the start of the struct.',
  ),
  kind(1, 'field', 'byte_sz', 'FIELD_BYTE_SIZE', 'Size of the field in bytes.'),
  kind(
    2,
    'field',
    'field_exists',
    'FIELD_EXISTS',
    '1 if the running kernel has the field, else 0.',
  ),
  kind(3, 'field', 'signed', 'FIELD_SIGNED', '1 if the field is signed, else 0.'),
  kind(
    4,
    'field',
    'lshift_u64',
    'FIELD_LSHIFT_U64',
    'Left shift in a 64-bit register that drops the bits above a bit-field.',
  ),
  kind(
    5,
    'field',
    'rshift_u64',
    'FIELD_RSHIFT_U64',
    'Right shift after that, which moves the bit-field to bit 0.',
  ),
  kind(6, 'type', 'local_type_id', 'TYPE_ID_LOCAL', "The type's id in this file."),
  kind(7, 'type', 'target_type_id', 'TYPE_ID_TARGET', "The type's id in the running kernel."),
  kind(8, 'type', 'type_exists', 'TYPE_EXISTS', '1 if the running kernel has the type, else 0.'),
  kind(9, 'type', 'type_size', 'TYPE_SIZE', 'Size of the type in bytes.'),
  kind(
    10,
    'enum',
    'enumval_exists',
    'ENUMVAL_EXISTS',
    '1 if the running kernel has the enumerator, else 0.',
  ),
  kind(11, 'enum', 'enumval_value', 'ENUMVAL_VALUE', 'The value of the enumerator.'),
  kind(
    12,
    'type',
    'type_matches',
    'TYPE_MATCHES',
    '1 if the running kernel has a type that matches member by member, else 0.',
  ),
];

/** Returns the kind with this number; null for an unknown number. */
export function coreKind(kindNumber: number): CoreKind | null {
  return CORE_KINDS[kindNumber] ?? null;
}

/** Returns the short name; for an unknown number `reloc kind #13`, as llvm-objdump prints it. */
export function coreKindName(kindNumber: number): string {
  return CORE_KINDS[kindNumber]?.name ?? `reloc kind #${kindNumber}`;
}
