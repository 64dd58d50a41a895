/** Terms of the kernel API: the system calls that take BTF, and those that give it back. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionNamed } from './find-objects.ts';
import { extField } from './find-records.ts';
import { typeOf } from './find-types.ts';
import { flow, type Picture, record } from './picture.ts';
import { btfRst } from './sources.ts';
import type { TermCard } from './term.ts';

const API = btfRst('3 BTF Kernel API', 'btf-kernel-api');

function introspection(lit: number): Picture {
  return flow(['next id', 'fd by id', 'info by fd', 'BTF fd by id', 'BTF'], lit);
}

export const API_CARDS: readonly TermCard[] = [
  {
    id: 'spec-parts',
    says: [
      'The specification of BTF has two parts: the kernel API, between user space and the kernel, and the ELF file format, between a file and libbpf.',
      'The kernel verifies BTF before it uses it, and is given neither .BTF.ext nor the ELF file.',
    ],
    picture: flow(['ELF file', 'libbpf', 'kernel'], 1),
    source: API,
    related: ['btf-load', 'btf-section', 'btf-ext'],
    find: null,
  },
  {
    id: 'btf-commands',
    says: [
      'The document names five bpf commands: BPF_BTF_LOAD, BPF_MAP_CREATE, BPF_PROG_LOAD, BPF_BTF_GET_FD_BY_ID and BPF_OBJ_GET_INFO_BY_FD; BPF_BTF_GET_NEXT_ID came in Linux 5.4.',
      'An application loads BTF, then creates maps and loads programs with it; an introspection tool goes from ids to descriptors, then to their info, and to the BTF.',
    ],
    picture: flow(['BTF_LOAD', 'MAP_CREATE', 'PROG_LOAD', 'info', 'BTF'], 0),
    source: API,
    related: ['btf-load', 'map-create', 'prog-load', 'introspection'],
    find: null,
  },
  {
    id: 'btf-load',
    says: [
      'The system call command that loads a blob of BTF: types and strings, as libbpf leaves them after its fix-ups.',
      'It returns a file descriptor, btf_fd, which the calls for maps and programs take.',
    ],
    picture: flow(['BPF_BTF_LOAD', 'btf_fd', 'maps and programs'], 0),
    source: btfRst('3.1 BPF_BTF_LOAD', 'bpf-btf-load'),
    related: ['map-create', 'prog-load', 'btf-section'],
    find: null,
  },
  {
    id: 'map-create',
    says: [
      'The command that creates a map; btf_fd, btf_key_type_id and btf_value_type_id say what types its keys and values have.',
      'libbpf takes the two ids from the definition in .maps, and sets all three to 0 for types such as perf event arrays and maps of maps.',
    ],
    picture: record(
      'attributes with BTF',
      'btf_fd:4 btf_key_type_id:4 btf_value_type_id:4',
      'btf_key_type_id',
    ),
    source: btfRst('3.2 BPF_MAP_CREATE', 'bpf-map-create'),
    related: ['maps-section', 'btf-load', 'map'],
    find: sectionNamed('.maps'),
  },
  {
    id: 'prog-load',
    says: [
      'The command that loads a program: prog_btf_fd, and for func_info and line_info a pointer, the size of a record and the number of records.',
      'Their insn_off counts instructions of the program with the subprograms that libbpf has appended.',
    ],
    picture: record(
      'attributes with BTF',
      'prog_btf_fd:4 func_info_rec_size:4 func_info:8 func_info_cnt:4 line_info_rec_size:4 line_info:8 line_info_cnt:4',
      'func_info_cnt',
    ),
    source: btfRst('3.3 BPF_PROG_LOAD', 'bpf-prog-load'),
    related: ['func-info', 'line-info', 'rec-size', 'btf-load'],
    find: extField('func', 0, 8),
  },
  {
    id: 'get-next-id',
    says: [
      'Each loaded program, map and BTF has an id that does not change during its lifetime.',
      'These commands return the ids one by one: the next one after start_id.',
    ],
    picture: introspection(0),
    source: btfRst('3.4 BPF_{PROG,MAP}_GET_NEXT_ID', 'bpf-prog-map-get-next-id'),
    related: ['get-fd-by-id', 'introspection'],
    find: null,
  },
  {
    id: 'get-fd-by-id',
    says: [
      'Returns a file descriptor for the id of a program or map.',
      'An id alone gives no details: the descriptor holds a reference, so that what it stands for is not freed meanwhile.',
    ],
    picture: introspection(1),
    source: btfRst('3.5 BPF_{PROG,MAP}_GET_FD_BY_ID', 'bpf-prog-map-get-fd-by-id'),
    related: ['get-next-id', 'obj-get-info'],
    find: null,
  },
  {
    id: 'obj-get-info',
    says: [
      'Describes what a descriptor stands for: bpf_map_info has btf_id and the ids of the key and value types, bpf_prog_info has btf_id, func_info, line_info and jited_line_info.',
      'For a descriptor of BTF it copies out the blob.',
    ],
    picture: introspection(2),
    source: btfRst('3.6 BPF_OBJ_GET_INFO_BY_FD', 'bpf-obj-get-info-by-fd'),
    related: ['btf-get-fd', 'introspection', 'func-info'],
    find: null,
  },
  {
    id: 'btf-get-fd',
    says: [
      'Returns a descriptor of the BTF whose id is the btf_id of a map or program.',
      'With it BPF_OBJ_GET_INFO_BY_FD returns the blob that BPF_BTF_LOAD was given.',
    ],
    picture: introspection(3),
    source: btfRst('3.7 BPF_BTF_GET_FD_BY_ID', 'bpf-btf-get-fd-by-id'),
    related: ['obj-get-info', 'btf-load'],
    find: null,
  },
  {
    id: 'introspection',
    says: [
      'A tool such as bpftool reads programs and maps out of a running kernel: ids, descriptors, info, and at last the BTF.',
      'It then prints keys and values by their types, signatures of functions, and source lines beside bytecode and JIT code.',
    ],
    picture: introspection(4),
    source: API,
    related: ['get-next-id', 'obj-get-info', 'jit-symbol'],
    find: null,
  },
  {
    id: 'jit-symbol',
    says: [
      'The kernel symbol of JIT code: bpf_prog_, the 16 hex digits of the tag, and the name of the FUNC, as in bpf_prog_44a040bf25481309_test_long_fname_2.',
      'The tag is a hash of the instructions; the name comes from func_info.',
    ],
    picture: flow(['bpf_prog', 'tag', 'name of the FUNC'], 2),
    source: btfRst('5.2 bpftool prog dump', 'bpftool-prog-dump'),
    related: ['func-info', 'kind-func', 'introspection'],
    find: typeOf([BtfKind.FUNC]),
  },
];
