import type { Listed } from './command.ts';

const dumps = () => import('./dump.ts');

/** All commands, in the order of the help. A command's code is loaded at its first call. */
export const COMMANDS: ReadonlyMap<string, Listed> = new Map([
  [
    'open',
    {
      about: 'Open FILE in the browser; "btfscope FILE" does the same.',
      load: async () => (await import('./open-page.ts')).openPage,
    },
  ],
  [
    'info',
    {
      about: 'Summary of a file: headers, sections, number of types and records, issues.',
      load: async () => (await import('./info.ts')).info,
    },
  ],
  [
    'members',
    {
      about: 'List the members of an archive or package, or the BPF objects inside a program.',
      load: async () => (await import('./members.ts')).members,
    },
  ],
  [
    'raw',
    {
      about:
        'All types as bpftool btf dump … format raw prints them; of several files merged, on their --base.',
      load: async () => (await dumps()).raw,
    },
  ],
  [
    'json',
    {
      about:
        'All types as bpftool -j btf dump … prints them; of several files merged, on their --base.',
      load: async () => (await dumps()).json,
    },
  ],
  [
    'c',
    {
      about:
        'All types as bpftool btf dump … format c prints them, of several files merged, or one type as a header.',
      load: async () => (await dumps()).c,
    },
  ],
  [
    'pahole',
    {
      about:
        'All structs and unions as pahole -F btf or, of DWARF in C, pahole -F dwarf prints them.',
      load: async () => (await dumps()).pahole,
    },
  ],
  [
    'readelf',
    {
      about:
        'Headers, sections, relocations and symbols, as llvm-readelf -h -S -s -r -W prints them.',
      load: async () => (await import('./readelf.ts')).readelf,
    },
  ],
  [
    'disasm',
    {
      about:
        'Disassembly with each relocation under its instruction, as llvm-objdump -dr prints it.',
      load: async () => (await import('./disasm.ts')).disasm,
    },
  ],
  [
    'inlined',
    {
      about: 'Where functions were inlined (LOCSEC), and where the parameters of each call are.',
      load: async () => (await import('./inlined.ts')).inlined,
    },
  ],
  [
    'btf-ids',
    {
      about: 'The ids in .BTF_ids of a kernel or module: lists, sets, kfuncs with their flags.',
      load: async () => (await import('./btf-ids.ts')).btfIds,
    },
  ],
  [
    'symbols',
    {
      about: 'All symbols: value, size, type, binding, visibility, section and name.',
      load: async () => (await import('./symbols.ts')).symbols,
    },
  ],
  [
    'relocs',
    {
      about:
        'All relocation entries: offset, r_info, type, symbol value S, addend A, and what is written.',
      load: async () => (await import('./relocs.ts')).relocs,
    },
  ],
  [
    'data',
    {
      about: 'Variables and maps with their types and initial values; or, with --type, given bytes',
      load: async () => (await import('./data.ts')).data,
    },
  ],
  [
    'where',
    {
      about: 'The fields that contain a byte, from the file down to the bits.',
      load: async () => (await import('./where.ts')).where,
    },
  ],
  [
    'core',
    {
      about: 'The result of each CO-RE relocation on each kernel, as libbpf computes it.',
      load: async () => (await import('./core.ts')).core,
    },
  ],
  [
    'type',
    {
      about: 'One type with its layout, one member of it, or the members that cover a byte.',
      load: async () => (await import('./type.ts')).type,
    },
  ],
  [
    'paths',
    {
      about:
        'Paths from a type to another type or to a field, through members and pointers; shortest first.',
      load: async () => (await import('./paths.ts')).paths,
    },
  ],
  [
    'query',
    {
      about: 'SQL over types, members, functions and relocations of one or more files.',
      load: async () => (await import('./query.ts')).query,
    },
  ],
  [
    'min',
    {
      about:
        'Write the types and members of a kernel that the CO-RE relocations need, as bpftool gen min_core_btf does.',
      load: async () => (await import('./min.ts')).min,
    },
  ],
  [
    'encode',
    {
      about:
        'Write the BTF that pahole 1.31 makes of DWARF, and say why entries are left out or merged.',
      load: async () => (await import('./encode.ts')).encode,
    },
  ],
  [
    'diff',
    {
      about:
        'Differences between two BTF files: types added, removed, changed, or with a nested change.',
      load: async () => (await import('./diff.ts')).diff,
    },
  ],
  [
    'load',
    {
      about: 'Whether libbpf 1.8 loads objects on kernels, up to the verifier, and why not.',
      load: async () => (await import('./load.ts')).load,
    },
  ],
  [
    'attach',
    {
      about: 'Which kinds of programs can be attached to functions of kernels, and why not.',
      load: async () => (await import('./attach.ts')).attach,
    },
  ],
  [
    'needs',
    {
      about: 'The oldest Linux that has all that objects use, and what decides it.',
      load: async () => (await import('./needs.ts')).needs,
    },
  ],
  [
    'load-calls',
    {
      about:
        'What libbpf 1.8 hands to the kernel: BPF_BTF_LOAD, BPF_MAP_CREATE and BPF_PROG_LOAD with their BTF attributes.',
      load: async () => (await import('./load-calls.ts')).loadCallsCommand,
    },
  ],
  [
    'explain',
    {
      about:
        'Why a log of the verifier or a loader is of a failure: cause, source lines, and what to write.',
      load: async () => (await import('./explain.ts')).explain,
    },
  ],
  [
    'check',
    {
      about:
        'Whether libbpf 1.8 opens the file, whether it and Linux 6.18 accept the BTF, func_info and line_info, which fix-ups libbpf applies, and all problems.',
      load: async () => (await import('./check.ts')).check,
    },
  ],
  [
    'atlas',
    {
      about: 'Questions to many kernels at once, from one file.',
      load: async () => (await import('./atlas.ts')).atlas,
    },
  ],
  [
    'mcp',
    {
      about: 'Answer a program over standard input and output: a Model Context Protocol server.',
      load: async () => (await import('./mcp.ts')).mcpOf(COMMANDS),
    },
  ],
  [
    'completion',
    {
      about: 'Print the completions of a shell, to be loaded by it.',
      load: async () => (await import('./completion.ts')).completionOf(COMMANDS),
    },
  ],
  [
    'man',
    {
      about: 'Print the manual page, for man -l.',
      load: async () => (await import('./manual.ts')).manualOf(COMMANDS),
    },
  ],
]);
