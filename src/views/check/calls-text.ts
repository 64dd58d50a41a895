/**
 * Texts about libbpf's system calls, and the calls of a tool that inspects a running kernel.
 *
 * Source: BTF Type Format, chapter 3 "BTF Kernel API"; include/uapi/linux/bpf.h, union bpf_attr,
 * struct bpf_prog_info, bpf_map_info and bpf_btf_info.
 */
import type { LoadCalls, MapCreate } from '#analysis/libbpf/calls.ts';
import type { ProgLoad } from '#analysis/libbpf/program-parts.ts';
import { countOf } from '#views/parts/number-text.ts';

type CallStep = {
  readonly id: string;
  readonly who: 'Application' | 'Introspection tool';
  readonly command: string;
  /** What the call does and returns. */
  readonly about: string;
  /** Returns what the call involves for the open object, such as `1 248 bytes`. */
  readonly summary: (calls: LoadCalls) => string;
  /** Returns arguments and results by name; an empty list for maps and programs. */
  readonly facts: (calls: LoadCalls) => readonly (readonly [term: string, value: string])[];
};

export const CALL_STEPS: readonly CallStep[] = [
  {
    id: 'btf-load',
    who: 'Application',
    command: 'BPF_BTF_LOAD',
    about:
      'The kernel checks the BTF, keeps a copy and returns a file descriptor, btf_fd. If it rejects the BTF, libbpf loads maps and programs without it, unless the object has a struct_ops map.',
    summary: ({ btfSize }) => countOf(btfSize, 'byte'),
    facts: ({ btfSize, fixups }) => [
      ['btf', `the BTF of the object, after ${countOf(fixups, 'fix-up')}`],
      ['btf_size', countOf(btfSize, 'byte')],
      ['Returns', 'btf_fd'],
    ],
  },
  {
    id: 'map-create',
    who: 'Application',
    command: 'BPF_MAP_CREATE',
    about:
      'Three attributes give a map its types: btf_fd, btf_key_type_id and btf_value_type_id. libbpf takes the ids from the definition in .maps, or from the DATASEC of a section that becomes a map.',
    summary: ({ maps }) => countOf(maps.length, 'map'),
    facts: () => [],
  },
  {
    id: 'prog-load',
    who: 'Application',
    command: 'BPF_PROG_LOAD',
    about:
      'func_info names the FUNC of each function, line_info the source line of instructions. The kernel counts insn_off in instructions of the program with its subprograms; .BTF.ext counts bytes of a section.',
    summary: ({ programs }) => countOf(programs.length, 'program'),
    facts: () => [],
  },
  {
    id: 'next-id',
    who: 'Introspection tool',
    command: 'BPF_{PROG,MAP}_GET_NEXT_ID',
    about:
      'Returns the id after start_id, one for each call, and ENOENT after the last. Every loaded program, map and BTF has an id, which does not change while it is loaded.',
    summary: programsAndMaps,
    facts: ({ maps, programs }) => [
      ['start_id', '0 for the first'],
      ['Returns', 'next_id'],
      [
        'This object adds',
        `${countOf(programs.length, 'program id')}, ${countOf(maps.length, 'map id')}, 1 BTF id`,
      ],
    ],
  },
  {
    id: 'fd-by-id',
    who: 'Introspection tool',
    command: 'BPF_{PROG,MAP}_GET_FD_BY_ID',
    about:
      'Returns a file descriptor for an id. An id alone gives no details: the descriptor holds a reference, so that the program or map cannot go away while it is read.',
    summary: programsAndMaps,
    facts: () => [
      ['prog_id or map_id', 'an id of the step before'],
      ['Returns', 'a file descriptor'],
    ],
  },
  {
    id: 'info',
    who: 'Introspection tool',
    command: 'BPF_OBJ_GET_INFO_BY_FD',
    about:
      'Fills struct bpf_map_info or struct bpf_prog_info for a descriptor. Both have btf_id, the id of the BTF that the map or program was loaded with.',
    summary: ({ maps, programs }) => countOf(programs.length + maps.length, 'btf_id'),
    facts: ({ programs }) => [
      ['bpf_map_info', 'btf_id, btf_key_type_id, btf_value_type_id'],
      [
        'bpf_prog_info',
        'btf_id, func_info, line_info, jited_line_info, with size and number of their records',
      ],
      ['nr_func_info', `${sum(programs, 'funcInfoCount')} in all programs`],
      ['nr_line_info', `${sum(programs, 'lineInfoCount')} in all programs`],
    ],
  },
  {
    id: 'btf-fd',
    who: 'Introspection tool',
    command: 'BPF_BTF_GET_FD_BY_ID',
    about: 'Returns a file descriptor for the BTF whose id is btf_id.',
    summary: () => 'one btf_id',
    facts: () => [
      ['btf_id', 'from bpf_map_info or bpf_prog_info'],
      ['Returns', 'btf_fd'],
    ],
  },
  {
    id: 'btf-info',
    who: 'Introspection tool',
    command: 'BPF_OBJ_GET_INFO_BY_FD of the BTF',
    about:
      'Fills struct bpf_btf_info and copies out the BTF: the same bytes that BPF_BTF_LOAD was given.',
    summary: ({ btfSize }) => countOf(btfSize, 'byte'),
    facts: ({ btfSize }) => [
      ['btf_size', countOf(btfSize, 'byte')],
      ['id', 'btf_id'],
    ],
  },
  {
    id: 'result',
    who: 'Introspection tool',
    command: 'Output',
    about:
      'With the BTF, bpf_map_info and bpf_prog_info a tool prints keys and values member by member, signatures of functions, and source lines beside bytecode and JIT code, as bpftool map dump and bpftool prog dump do.',
    summary: () => 'types, signatures, lines',
    facts: () => [
      ['bpftool map dump', 'keys and values by the types of btf_key_type_id and btf_value_type_id'],
      [
        'bpftool prog dump',
        'the signature of each FUNC, source lines, and the symbol bpf_prog_TAG_NAME of JIT code',
      ],
    ],
  },
];

/** Row of the list of calls: a system call for the open object, or a call of a tool. */
export type CallRow =
  | { readonly step: CallStep; readonly of: 'step' }
  | { readonly step: CallStep; readonly of: 'map'; readonly call: MapCreate }
  | { readonly step: CallStep; readonly of: 'program'; readonly program: ProgLoad };

/** Returns the rows of the list of calls in order. Each map and each program has a row. */
export function callRows({ maps, programs }: LoadCalls): CallRow[] {
  return CALL_STEPS.flatMap((step): CallRow[] => {
    if (step.id === 'map-create') return maps.map((call) => ({ step, of: 'map', call }));
    if (step.id === 'prog-load') {
      return programs.map((program) => ({ step, of: 'program', program }));
    }
    return [{ step, of: 'step' }];
  });
}

function programsAndMaps({ maps, programs }: LoadCalls): string {
  return `${countOf(programs.length, 'program')}, ${countOf(maps.length, 'map')}`;
}

function sum(programs: readonly ProgLoad[], field: 'funcInfoCount' | 'lineInfoCount'): number {
  return programs.reduce((total, program) => total + program[field], 0);
}
