/** The kinds of CO-RE relocations: "BPF LLVM Relocations", section "Relocation kinds". */
export type CoreKindGroup = 'field' | 'type' | 'enum';

export type CoreKind = {
  readonly number: number;
  /** Short name in the logs of libbpf and llvm-objdump: `byte_off`. */
  readonly name: string;
  /** Name in the kernel headers: `BPF_CORE_FIELD_BYTE_OFFSET`. */
  readonly enumName: string;
  /** Kind of object that the access string identifies: field, type or enumerator. */
  readonly group: CoreKindGroup;
  /** Sentence about the value that libbpf writes into the instruction. */
  readonly about: string;
};

const kindsOf =
  (group: CoreKindGroup, prefix: string) => (name: string, enumName: string, about: string) => ({
    name,
    enumName: `BPF_CORE_${prefix}_${enumName}`,
    group,
    about,
  });
const field = kindsOf('field', 'FIELD');
const type = kindsOf('type', 'TYPE');
const enumerator = kindsOf('enum', 'ENUMVAL');

/** BPF_CORE_TYPE_ID_LOCAL: the only kind that libbpf resolves without a target. */
export const TYPE_ID_LOCAL = 6;

/** Known relocation kinds; the index is the kind's number in `enum bpf_core_relo_kind`. */
export const CORE_KINDS: readonly CoreKind[] = [
  field('byte_off', 'BYTE_OFFSET', 'Offset of the field in bytes from the start of the struct.'),
  field('byte_sz', 'BYTE_SIZE', 'Size of the field in bytes.'),
  field('field_exists', 'EXISTS', '1 if the running kernel has the field, else 0.'),
  field('signed', 'SIGNED', '1 if the field is signed, else 0.'),
  field(
    'lshift_u64',
    'LSHIFT_U64',
    'Left shift in a 64-bit register that drops the bits above a bit-field.',
  ),
  field('rshift_u64', 'RSHIFT_U64', 'Right shift after that, which moves the bit-field to bit 0.'),
  type('local_type_id', 'ID_LOCAL', "The type's id in this file."),
  type('target_type_id', 'ID_TARGET', "The type's id in the running kernel."),
  type('type_exists', 'EXISTS', '1 if the running kernel has the type, else 0.'),
  type('type_size', 'SIZE', 'Size of the type in bytes.'),
  enumerator('enumval_exists', 'EXISTS', '1 if the running kernel has the enumerator, else 0.'),
  enumerator('enumval_value', 'VALUE', 'The value of the enumerator.'),
  type(
    'type_matches',
    'MATCHES',
    '1 if the running kernel has a type that matches member by member, else 0.',
  ),
].map((kind, number) => ({ ...kind, number }));

/** Returns the relocation kind with this number, or null. */
export function coreKind(kindNumber: number): CoreKind | null {
  return CORE_KINDS[kindNumber] ?? null;
}

/** Returns a kind's short name; for an unknown kind `reloc kind #13`, as in llvm-objdump. */
export function coreKindName(kindNumber: number): string {
  return CORE_KINDS[kindNumber]?.name ?? `reloc kind #${kindNumber}`;
}
