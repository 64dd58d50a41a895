/** Terms of `.BTF.ext`: the records about instructions. */
import { coreOf, extField, extSectionField, headerBlock, recordSizeField } from './find-records.ts';
import { flow, record, word } from './picture.ts';
import { BTF_EXT, btfRst, CORE_RECORD } from './sources.ts';
import type { TermCard } from './term.ts';

const PROG_LOAD = btfRst('3.3 BPF_PROG_LOAD', 'bpf-prog-load');

export const EXT_CARDS: readonly TermCard[] = [
  {
    id: 'btf-ext',
    says: [
      'The section .BTF.ext has the records about instructions: functions, source lines, CO-RE relocations.',
      'libbpf reads it and passes func_info and line_info to the kernel; the section itself is not loaded.',
    ],
    picture: flow(['header', 'func_info', 'line_info', 'core_relo'], 0),
    source: BTF_EXT,
    related: ['func-info', 'line-info', 'core-relo', 'btf-section'],
    find: headerBlock('.BTF.ext header'),
  },
  {
    id: 'ext-header',
    says: [
      'The header of .BTF.ext: magic, version, flags and hdr_len as that of .BTF, then an offset from its end and a length for func_info, line_info and core_relo.',
      'The last pair is optional: the header of 2019 has 24 bytes, without it, and one with CO-RE records has 32.',
    ],
    picture: record(
      'struct btf_ext_header',
      'magic:2 version:1 flags:1 hdr_len:4 func_info_off:4 func_info_len:4 line_info_off:4 line_info_len:4 core_relo_off:4 core_relo_len:4',
      'core_relo_off',
    ),
    source: BTF_EXT,
    related: ['btf-ext', 'hdr-len', 'core-relo'],
    find: headerBlock('.BTF.ext header'),
  },
  {
    id: 'rec-size',
    says: [
      'Each table, func_info, line_info and core_relo, begins with the size of its records in bytes; then comes a btf_ext_info_sec for each code section.',
      'Readers advance by it, so that records can grow without breaking older readers.',
    ],
    picture: record('func_info', 'rec_size:4 sec_name_off:4 num_info:4 records…:8', 'rec_size'),
    source: BTF_EXT,
    related: ['sec-name-off', 'func-info', 'line-info'],
    find: recordSizeField,
  },
  {
    id: 'sec-name-off',
    says: [
      'Records are grouped by code section; this is the offset of the section’s name in the strings of .BTF.',
      'It must be the name of a section of the same file.',
    ],
    picture: record(
      'struct btf_ext_info_sec',
      'sec_name_off:4 num_info:4 records…:8',
      'sec_name_off',
    ),
    source: BTF_EXT,
    related: ['num-info', 'string-section', 'program-section'],
    find: extSectionField(0),
  },
  {
    id: 'num-info',
    says: ['The number of records of one code section.', 'It must be more than 0.'],
    picture: record('struct btf_ext_info_sec', 'sec_name_off:4 num_info:4 records…:8', 'num_info'),
    source: BTF_EXT,
    related: ['sec-name-off', 'rec-size'],
    find: extSectionField(4),
  },
  {
    id: 'func-info',
    says: [
      'A record with the FUNC that begins at an instruction.',
      'The kernel gets the name and the parameters of each function from it, which it needs to verify global functions.',
    ],
    picture: record('struct bpf_func_info', 'insn_off:4 type_id:4', 'type_id'),
    source: BTF_EXT,
    related: ['kind-func', 'insn-off', 'rec-size'],
    find: extField('func', 0, 8),
  },
  {
    id: 'line-info',
    says: [
      'A record with the source line of an instruction and the text of that line.',
      'The verifier prints these lines in its log, disassemblers between the instructions.',
    ],
    picture: record(
      'struct bpf_line_info',
      'insn_off:4 file_name_off:4 line_off:4 line_col:4',
      'line_off',
    ),
    source: BTF_EXT,
    related: ['line-off', 'line-col', 'file-name-off', 'verifier-log'],
    find: extField('line', 0, 16),
  },
  {
    id: 'core-relo',
    says: [
      'A record with an instruction, a field, type or enumerator, and the kind of value to compute for it.',
      'Before loading, libbpf writes the value for the running kernel into the instruction: into the imm of ALU, ALU64 and LD, into the off of LDX, ST and STX; jumps are not patched.',
    ],
    picture: record(
      'struct bpf_core_relo',
      'insn_off:4 type_id:4 access_str_off:4 kind:4',
      'insn_off',
    ),
    source: CORE_RECORD,
    related: ['core', 'access-string', 'root-type', 'insn-off'],
    find: coreOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  },
  {
    id: 'insn-off',
    says: [
      'The instruction of a record, as an offset in bytes from the start of its ELF section; a multiple of 8.',
      'libbpf converts it for the kernel to a number of instructions from the start of the program.',
    ],
    picture: flow(['section', '+ insn_off', 'instruction'], 1),
    source: BTF_EXT,
    related: ['insn', 'func-info', 'line-info', 'core-relo'],
    find: extField('func', 0, 4),
  },
  {
    id: 'access-str-off',
    says: [
      'The offset of a CO-RE record’s access string in the strings of .BTF.',
      'Many records share a string: “0:0” is the first member of any struct.',
    ],
    picture: record(
      'struct bpf_core_relo',
      'insn_off:4 type_id:4 access_str_off:4 kind:4',
      'access_str_off',
    ),
    source: CORE_RECORD,
    related: ['access-string', 'string-section', 'core-relo'],
    find: extField('core', 8, 4),
  },
  {
    id: 'file-name-off',
    says: [
      'The offset of the path of the source file, in the strings of .BTF.',
      'clang writes it with the directory in which it ran, so that objects show where they were built.',
    ],
    picture: record(
      'struct bpf_line_info',
      'insn_off:4 file_name_off:4 line_off:4 line_col:4',
      'file_name_off',
    ),
    source: PROG_LOAD,
    related: ['line-off', 'line-info', 'string-section'],
    find: extField('line', 4, 4),
  },
  {
    id: 'line-off',
    says: [
      'The offset of the text of the source line, in the strings of .BTF: a log shows the line without the source.',
      'The text is the whole line, so a comment at its end ships with the object.',
    ],
    picture: record(
      'struct bpf_line_info',
      'insn_off:4 file_name_off:4 line_off:4 line_col:4',
      'line_off',
    ),
    source: PROG_LOAD,
    related: ['line-info', 'line-col', 'file-name-off', 'string-section'],
    find: extField('line', 8, 4),
  },
  {
    id: 'line-col',
    says: [
      'The line number in the upper 22 bits, the column in the lower 10.',
      'Column 0 means unknown; columns above 1023 do not fit.',
    ],
    picture: word(32, 'line:22 column:10', 'line'),
    source: PROG_LOAD,
    related: ['line-info', 'file-name-off'],
    find: extField('line', 12, 4),
  },
];
