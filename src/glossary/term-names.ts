/**
 * What the terms are called: the title first, as the field spells it, then all other
 * spellings that lead to the same card. It is all that a view needs to find terms in
 * a label; the cards themselves are fetched when the first one opens.
 */
export const TERM_NAMES = {
  // Header of .BTF
  'btf-section': ['.BTF', 'BTF header', 'struct btf_header', 'btf_header'],
  magic: ['magic', 'BTF magic', '0xeb9f'],
  'hdr-len': ['hdr_len', 'hdrLen'],
  'type-off': ['type_off', 'type_len', 'type section'],
  'str-off': ['str_off', 'str_len'],
  'layout-section': ['layout section', 'layout_off', 'layout_len', 'btf_layout'],
  'string-section': ['string section', 'BTF strings'],
  // struct btf_type
  'type-id': ['type id', 'type_id', 'typeId', 'BTF id'],
  'btf-type': ['struct btf_type', 'btf_type', 'raw record'],
  'name-off': ['name_off', 'nameOff'],
  info: ['info', 'info word'],
  vlen: ['vlen'],
  kind: ['BTF kind', 'types by kind', 'BTF_KIND'],
  'kind-flag': ['kind_flag', 'kflag', 'kindFlag'],
  'info-wide': ['info word of 2026', '24-bit vlen', '7-bit kind'],
  'size-or-type': ['size / type', 'size/type', 'size or type'],
  void: ['void', 'BTF_KIND_UNKN', 'UNKN', 'type 0'],
  // Kinds
  'kind-int': ['BTF_KIND_INT'],
  'kind-ptr': ['BTF_KIND_PTR', 'points to'],
  'kind-array': ['BTF_KIND_ARRAY', 'struct btf_array', 'btf_array'],
  'kind-struct': ['BTF_KIND_STRUCT'],
  'kind-union': ['BTF_KIND_UNION'],
  'kind-enum': ['BTF_KIND_ENUM'],
  'kind-fwd': ['BTF_KIND_FWD', 'forward declaration'],
  'kind-typedef': ['BTF_KIND_TYPEDEF', 'stands for'],
  'kind-volatile': ['BTF_KIND_VOLATILE'],
  'kind-const': ['BTF_KIND_CONST'],
  'kind-restrict': ['BTF_KIND_RESTRICT'],
  'kind-func': ['BTF_KIND_FUNC'],
  'kind-func-proto': ['BTF_KIND_FUNC_PROTO', 'prototype'],
  'kind-var': ['BTF_KIND_VAR', 'struct btf_var', 'btf_var'],
  'kind-datasec': ['BTF_KIND_DATASEC', 'datasec'],
  'kind-float': ['BTF_KIND_FLOAT'],
  'kind-decl-tag': ['BTF_KIND_DECL_TAG', 'decl tag', 'btf_decl_tag'],
  'kind-type-tag': ['BTF_KIND_TYPE_TAG', 'type tag', 'btf_type_tag'],
  'kind-enum64': ['BTF_KIND_ENUM64', 'struct btf_enum64', 'btf_enum64', 'val_lo32', 'val_hi32'],
  // What follows a record
  member: ['struct btf_member', 'btf_member', 'members', 'member'],
  'bit-offset': ['bit_offset', 'bits_offset', 'bit offset', 'bitOffset', 'BTF_MEMBER_BIT_OFFSET'],
  'bitfield-size': ['bitfield_size', 'bitfieldSize', 'BTF_MEMBER_BITFIELD_SIZE'],
  'int-encoding': [
    'BTF_INT_ENCODING',
    'INT encoding',
    'int_data',
    'BTF_INT_BITS',
    'BTF_INT_OFFSET',
  ],
  nelems: ['nelems', 'index_type'],
  enumerator: ['enumerator', 'enumerators', 'struct btf_enum', 'btf_enum'],
  param: ['struct btf_param', 'btf_param', 'parameters'],
  'var-secinfo': ['btf_var_secinfo', 'struct btf_var_secinfo', 'vsi'],
  linkage: ['linkage', 'BTF_FUNC_GLOBAL', 'BTF_FUNC_STATIC', 'BTF_FUNC_EXTERN'],
  'component-idx': ['component_idx'],
  // .BTF.ext
  'btf-ext': ['.BTF.ext', '.BTF.ext header', 'struct btf_ext_header', 'btf_ext_header'],
  'rec-size': ['rec_size', 'record size', 'func_info_rec_size', 'line_info_rec_size'],
  'sec-name-off': ['sec_name_off', 'btf_ext_info_sec'],
  'num-info': ['num_info'],
  'func-info': ['func_info', 'struct bpf_func_info', 'bpf_func_info', 'func_info_off'],
  'line-info': ['line_info', 'struct bpf_line_info', 'bpf_line_info', 'line_info_off'],
  'core-relo': ['core_relo', 'struct bpf_core_relo', 'bpf_core_relo', 'CO-RE relocation'],
  'insn-off': ['insn_off', 'insnOff'],
  'access-str-off': ['access_str_off', 'accessStrOff'],
  'file-name-off': ['file_name_off', 'line_off'],
  'line-col': ['line_col', 'lineCol'],
  // ELF
  'section-header': ['section header', 'Elf64_Shdr', 'section headers'],
  'sh-type': ['sh_type'],
  'sh-flags': ['sh_flags', 'SHF_ALLOC', 'SHF_EXECINSTR'],
  'sh-offset': ['sh_offset'],
  'sh-size': ['sh_size'],
  'sh-link': ['sh_link'],
  'sh-info': ['sh_info'],
  'sh-entsize': ['sh_entsize'],
  symbol: ['symbol table', 'Elf64_Sym', 'symbols'],
  'st-value': ['st_value'],
  'st-info': ['st_info', 'binding', 'STB_GLOBAL', 'STB_LOCAL', 'STB_WEAK'],
  'st-other': ['st_other', 'visibility'],
  'st-shndx': ['st_shndx', 'SHN_UNDEF'],
  // ELF relocations
  rel: ['REL', 'SHT_REL', 'Elf64_Rel', 'implicit addend'],
  rela: ['RELA', 'SHT_RELA', 'Elf64_Rela', 'r_addend', 'explicit addend'],
  'r-offset': ['r_offset'],
  'r-info': ['r_info', 'ELF64_R_TYPE', 'ELF64_R_SYM'],
  addend: ['addend'],
  'reloc-none': ['R_BPF_NONE'],
  'reloc-64-64': ['R_BPF_64_64'],
  'reloc-abs64': ['R_BPF_64_ABS64'],
  'reloc-abs32': ['R_BPF_64_ABS32'],
  'reloc-nodyld32': ['R_BPF_64_NODYLD32'],
  'reloc-64-32': ['R_BPF_64_32'],
  // Instructions
  insn: ['instruction', 'instruction slot', 'struct bpf_insn', 'bpf_insn'],
  opcode: ['opcode'],
  'dst-src': ['dst_reg', 'src_reg', 'dst', 'src', 'registers'],
  off: ['off'],
  imm: ['imm', 'immediate'],
  'ld-imm64': ['ld_imm64', 'lddw', 'wide instruction', 'next_imm'],
  'pseudo-src': ['BPF_PSEUDO_MAP_FD', 'BPF_PSEUDO_MAP_VALUE', 'pseudo source'],
  'pseudo-call': ['pseudo call', 'BPF_PSEUDO_CALL', 'subprogram', 'BPF-to-BPF call'],
  helper: ['helper', 'helper function'],
  kfunc: ['kfunc', 'BPF_PSEUDO_KFUNC_CALL'],
  // CO-RE
  core: ['CO-RE', 'compile once, run everywhere'],
  'access-string': ['access string', 'access_str'],
  spec: ['spec', 'access spec', 'local spec', 'target spec'],
  'root-type': ['root type'],
  'essential-name': ['essential name'],
  flavour: ['flavour', 'flavor', '___'],
  candidate: ['candidate', 'candidates', 'matching candidate'],
  target: ['CO-RE target', 'target BTF', 'vmlinux BTF'],
  'local-value': ['local value'],
  poison: ['poison', 'poisoned', '0x0bad2310', '195896080'],
  guard: ['guarded', 'guarded access', 'guard'],
  // Kinds of CO-RE relocations
  'byte-off': ['byte_off', 'BPF_CORE_FIELD_BYTE_OFFSET', 'field_byte_offset'],
  'byte-sz': ['byte_sz', 'BPF_CORE_FIELD_BYTE_SIZE', 'field_byte_size'],
  'field-exists': ['field_exists', 'BPF_CORE_FIELD_EXISTS'],
  signed: ['signed', 'BPF_CORE_FIELD_SIGNED', 'field_signed'],
  'lshift-u64': ['lshift_u64', 'BPF_CORE_FIELD_LSHIFT_U64', 'field_lshift_u64'],
  'rshift-u64': ['rshift_u64', 'BPF_CORE_FIELD_RSHIFT_U64', 'field_rshift_u64'],
  'local-type-id': ['local_type_id', 'BPF_CORE_TYPE_ID_LOCAL'],
  'target-type-id': ['target_type_id', 'BPF_CORE_TYPE_ID_TARGET'],
  'type-exists': ['type_exists', 'BPF_CORE_TYPE_EXISTS'],
  'type-size': ['type_size', 'BPF_CORE_TYPE_SIZE'],
  'enumval-exists': ['enumval_exists', 'BPF_CORE_ENUMVAL_EXISTS'],
  'enumval-value': ['enumval_value', 'BPF_CORE_ENUMVAL_VALUE'],
  'type-matches': ['type_matches', 'BPF_CORE_TYPE_MATCHES'],
  // Programs
  'program-section': ['program section', 'SEC()', 'program type'],
  map: ['BPF map', 'max_entries', 'maps'],
  'maps-section': ['.maps', 'BTF-defined map'],
  'global-data': ['global data', '.data', '.bss', 'array map of a data section'],
  rodata: ['.rodata', 'read-only data'],
  kconfig: ['.kconfig', '__kconfig'],
  ksyms: ['.ksyms', '__ksym'],
  license: ['license', 'licence', 'GPL-compatible'],
  'verifier-log': ['verifier log', 'verifier'],
  // Split BTF
  'split-btf': ['split BTF', 'module BTF'],
  'base-btf': ['base BTF'],
  'distilled-base': ['distilled base', '.BTF.base', 'btf__relocate'],
  'btf-ids': ['.BTF_ids', 'BTF_ID', 'BTF_SET8'],
  // Alpha eCOFF
  gp: ['gp', 'gp_value', 'global pointer'],
  'r-vaddr': ['r_vaddr'],
  'r-symndx': ['r_symndx', 'r_extern'],
  refquad: ['R_REFQUAD', 'REFQUAD', 'R_REFLONG', 'REFLONG'],
  literal: ['R_LITERAL', 'LITERAL', '.lita'],
  lituse: ['R_LITUSE', 'LITUSE', 'R_LU_BASE', 'R_LU_JSR'],
  gpdisp: ['R_GPDISP', 'GPDISP'],
  braddr: ['R_BRADDR', 'BRADDR'],
  hint: ['R_HINT', 'HINT'],
  gpvalue: ['R_GPVALUE', 'GPVALUE'],
  gprel: ['R_GPRELHIGH', 'GPRELHIGH', 'R_GPRELLOW', 'GPRELLOW'],
  'stack-expression': ['stack expression', 'R_OP_PUSH', 'OP_PUSH', 'R_OP_PSUB', 'R_OP_PRSHIFT'],
  'op-store': ['R_OP_STORE', 'OP_STORE'],
  'compact-relocations': ['compact relocations', 'compact relocation', '.comment'],
  // In general
  endianness: ['endianness', 'byte order', 'little-endian', 'big-endian', 'EI_DATA'],
  padding: ['padding'],
  hole: ['hole', 'holes'],
  'flexible-array': ['flexible array', 'flexible array member'],
  'bit-field': ['bit-field', 'bitfield', 'bit-fields'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type TermId = keyof typeof TERM_NAMES;

/** Is it the id of a term? */
function isTermId(text: string): text is TermId {
  return Object.hasOwn(TERM_NAMES, text);
}

/** All ids, in the order of the cards. */
export const TERM_IDS: readonly TermId[] = Object.keys(TERM_NAMES).filter(isTermId);

/** What the card is headed with: the field's own spelling. */
export function termTitle(id: TermId): string {
  return TERM_NAMES[id][0];
}
