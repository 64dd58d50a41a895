/** Terms of `.BTF.ext`: what is told of single instructions. */
import { coreOf, extField, extSectionField, headerBlock, recordSizeField } from './find-records.ts';
import { flow, record, word } from './picture.ts';
import { BTF_EXT, btfRst, CORE_RECORD } from './sources.ts';
import type { TermCard } from './term.ts';

const PROG_LOAD = btfRst('3.3 BPF_PROG_LOAD', 'bpf-prog-load');

export const EXT_CARDS: readonly TermCard[] = [
  {
    id: 'btf-ext',
    says: [
      'The section .BTF.ext holds what is said of single instructions: functions, lines of source, CO-RE relocations.',
      'The kernel never sees it as it is, since libbpf reads it, changes it and hands over what the kernel takes.',
    ],
    picture: flow(['header', 'func_info', 'line_info', 'core_relo'], 0),
    source: BTF_EXT,
    related: ['func-info', 'line-info', 'core-relo', 'btf-section'],
    find: headerBlock('.BTF.ext header'),
  },
  {
    id: 'rec-size',
    says: [
      'Each of the three tables begins with the size in bytes of one of its records.',
      'A reader steps by it, so that records may grow without older readers losing their way.',
    ],
    picture: record('func_info', 'rec_size:4 sec_name_off:4 num_info:4 records…:8', 'rec_size'),
    source: BTF_EXT,
    related: ['sec-name-off', 'func-info', 'line-info'],
    find: recordSizeField,
  },
  {
    id: 'sec-name-off',
    says: [
      'Records are kept together by the section of code that they speak of, which is named by an offset in the strings of .BTF.',
      'It must be the name of a section of the same file, or the records speak of nothing.',
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
    says: ['How many records follow for one section of code.', 'It must be more than 0.'],
    picture: record('struct btf_ext_info_sec', 'sec_name_off:4 num_info:4 records…:8', 'num_info'),
    source: BTF_EXT,
    related: ['sec-name-off', 'rec-size'],
    find: extSectionField(4),
  },
  {
    id: 'func-info',
    says: [
      'A record that says which FUNC begins at an instruction.',
      'By it the kernel knows the name and the parameters of each function, which it needs to verify global functions by themselves.',
    ],
    picture: record('struct bpf_func_info', 'insn_off:4 type_id:4', 'type_id'),
    source: BTF_EXT,
    related: ['kind-func', 'insn-off', 'rec-size'],
    find: extField('func', 0, 8),
  },
  {
    id: 'line-info',
    says: [
      'A record that says which line of source an instruction was made from, with the text of that line.',
      'The verifier prints these lines into its log, and disassemblers between the instructions.',
    ],
    picture: record(
      'struct bpf_line_info',
      'insn_off:4 file_name_off:4 line_off:4 line_col:4',
      'line_off',
    ),
    source: BTF_EXT,
    related: ['line-col', 'file-name-off', 'verifier-log'],
    find: extField('line', 0, 16),
  },
  {
    id: 'core-relo',
    says: [
      'A record that names an instruction and what to ask of the running kernel about a field, a type or an enumerator.',
      'Before it loads the program libbpf writes the answer into the instruction.',
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
      'The instruction that a record speaks of, in bytes from the start of its ELF section, so a multiple of 8.',
      'When libbpf hands the record to the kernel it becomes a number of instructions from the start of the program.',
    ],
    picture: flow(['section', '+ insn_off', 'instruction'], 1),
    source: BTF_EXT,
    related: ['insn', 'func-info', 'line-info', 'core-relo'],
    find: extField('func', 0, 4),
  },
  {
    id: 'access-str-off',
    says: [
      'Where the access string of a CO-RE record stands, as an offset in the strings of .BTF.',
      'Many records share one string, since “0:0” fits every first member.',
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
      'Two offsets in the strings of .BTF: file_name_off is the path of the source file, and line_off the text of the line.',
      'The text is there so that a log can show it where the source is not at hand.',
    ],
    picture: record(
      'struct bpf_line_info',
      'insn_off:4 file_name_off:4 line_off:4 line_col:4',
      'file_name_off',
    ),
    source: PROG_LOAD,
    related: ['line-info', 'line-col', 'string-section'],
    find: extField('line', 4, 8),
  },
  {
    id: 'line-col',
    says: [
      'The number of the line in the upper 22 bits, and the column in the lower 10.',
      'A column of 0 is not known, and columns above 1023 do not fit.',
    ],
    picture: word(32, 'line:22 column:10', 'line'),
    source: PROG_LOAD,
    related: ['line-info', 'file-name-off'],
    find: extField('line', 12, 4),
  },
];
