/** Sentences of messages about the records of .BTF.ext: CO-RE, functions and lines. */
import type { Sentence } from './sentence.ts';

const REGENERATE =
  'Compile with `-g`, link with `bpftool gen object`, and load with a current loader, which moves these records with the code.';

export const RECORDS: readonly Sentence[] = [
  [
    /relo #(\d+): bad type id (\d+)/,
    'CO-RE record $1 refers to type $2, which the BTF of the program does not have.',
    REGENERATE,
  ],
  [
    /target candidate search failed for (\d+)/,
    'The kernel could not search its BTF for types with the name of type $1 of the program: it has no BTF, or no memory for the list.',
    'Use a kernel with BTF (CONFIG_DEBUG_INFO_BTF=y), or let libbpf relocate the program with a BTF file (`btf_custom_path`).',
  ],
  [
    /Invalid core_relo\[(\d+)\]\.insn_off:(\d+) prog->len:(\d+)/,
    'CO-RE record $1 belongs to byte $2 of the code, where no instruction of the program begins: it has $3 instructions of 8 bytes.',
    REGENERATE,
  ],
  [
    /nonzero tailing record in (core_relo|func info|line_info)/,
    'The records ($1) are longer than this kernel knows, and the bytes after the known fields are not 0.',
    'Load with a loader that writes records of the size that this kernel knows, or on a newer kernel.',
  ],
  [
    /invalid func info rec size (\d+)/,
    'The function records (func_info) have $1 bytes each; a record has at least 8 bytes, a multiple of 4.',
    REGENERATE,
  ],
  [
    /invalid type id (\d+) in func info/,
    'A function record (func_info) refers to type $1, which is no function in the BTF of the program.',
    REGENERATE,
  ],
  [
    /nonzero insn_off (\d+) for the first func info record/,
    'The first function record (func_info) belongs to instruction $1, but the first function begins at 0.',
    REGENERATE,
  ],
  [
    /same or smaller insn offset \((\d+)\) than previous func info record \((\d+)\)/,
    'The function records (func_info) are not in order: the one for instruction $1 comes after the one for $2.',
    REGENERATE,
  ],
  [
    /invalid btf id for main subprog in func_info/,
    'The first function record (func_info) does not name the function of the program itself.',
    REGENERATE,
  ],
  [
    /missing btf func_info/,
    'The program uses what needs the types of its functions, and was loaded without function records (func_info).',
    'Compile with `-g`, and load with a loader that passes .BTF.ext to the kernel.',
  ],
  [
    /func_info BTF section doesn't match subprog layout/,
    'The function records (func_info) do not begin where the functions of the program do: code was moved, joined or removed after the BTF was made.',
  ],
  [
    /number of funcs in func_info doesn't match number of subprogs/,
    'The program has another number of functions than of function records (func_info). Kernels before 5.13 do not count callbacks, which they do not know.',
  ],
  [
    /Invalid insn code at line_info\[(\d+)\]\.insn_off/,
    'Line record $1 (line_info) belongs to the second half of a 16-byte load.',
  ],
  [
    /Invalid line_info\[(\d+)\]\.insn_off:(\d+) \(prev_offset:(\d+) prog->len:(\d+)\)/,
    'Line record $1 (line_info) belongs to instruction $2; it must come after $3, the instruction of the record before, and the program has $4.',
  ],
  [
    /Invalid line_info\[(\d+)\]\.line_off or \.file_name_off/,
    'The text or the file of line record $1 (line_info) is outside the strings of the BTF.',
  ],
  [
    /missing bpf_line_info for (\d+) funcs starting from func#(\d+)/,
    '$1 functions of the program, from function $2 on, have no line record (line_info).',
  ],
  [
    /missing bpf_line_info for func#(\d+)/,
    'Function $1 of the program has no line record (line_info) at its first instruction.',
  ],
  [
    /^(?:btf_vmlinux|in-kernel BTF) is malformed/,
    'The kernel cannot read its own BTF: it was damaged when the kernel was built, or is of another version.',
  ],
  [
    /kernel is missing BTF|(.+) not supported without CONFIG_DEBUG_INFO_BTF/,
    'The program needs the BTF of the kernel, and this kernel was built without it.',
  ],
];
