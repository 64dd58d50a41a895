/** Terms of CO-RE: how a program finds fields in a kernel that it was not built for. */
import { stringAt } from '#model/type-table.ts';
import { coreOf, coreWhere, extField } from './find-records.ts';
import { bytes, flow } from './picture.ts';
import { CORE_RECORD, kernelBpf, libbpf, llvmReloc } from './sources.ts';
import type { TermCard } from './term.ts';

const FIELDS = [0, 1, 2, 3, 4, 5];

export const CORE_CARDS: readonly TermCard[] = [
  {
    id: 'core',
    says: [
      'Compile once, run everywhere: an object keeps note of each field that it reads, and the loader sets the offsets right for the kernel that runs.',
      'What it needs is BTF on both sides: that of the object, and that of the kernel.',
    ],
    picture: flow(['object', 'core_relo', 'libbpf', 'kernel BTF'], 1),
    source: llvmReloc('CO-RE Relocations'),
    related: ['core-relo', 'target', 'access-string', 'poison'],
    find: coreOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  },
  {
    id: 'access-string',
    says: [
      'The way to a field as numbers: the first counts whole objects as an array index does, and each further one is the number of a member or an element.',
      'For a type the string is “0”, and for an enumerator it is its number in the enum.',
    ],
    picture: flow(['0', '2 anonymous', '0 c', '5 [5]'], 1),
    source: CORE_RECORD,
    related: ['spec', 'root-type', 'access-str-off', 'member'],
    find: coreWhere(({ types, ext }, i) => {
      const text = types === null ? '' : stringAt(types, ext.core.accessStrOff[i] ?? 0, 64);
      return text.includes(':');
    }),
  },
  {
    id: 'spec',
    says: [
      'What libbpf makes of an access string: the names and indices on the way, and the bit offset where it ends.',
      'The local spec is read from the object, and a target spec is the same way walked by name in a type of the kernel.',
    ],
    picture: flow(['0:1:2', 'foo.b.c', '@ offset 16'], 1),
    source: libbpf('relo_core.c', 'bpf_core_parse_spec()'),
    related: ['access-string', 'candidate', 'verifier-log'],
    find: coreOf(FIELDS),
  },
  {
    id: 'root-type',
    says: [
      'The type that an access begins with, by its id in the object.',
      'Its name and its kind decide which types of the kernel are tried, so a typedef finds only typedefs and a struct only structs.',
    ],
    picture: flow(['type_id', 'struct sk_buff', 'candidates'], 1),
    source: CORE_RECORD,
    related: ['access-string', 'candidate', 'essential-name'],
    find: extField('core', 4, 4),
  },
  {
    id: 'essential-name',
    says: [
      'What is left of a name without its flavour: task_struct of task_struct___old.',
      'Types, and enumerators too, are found in the kernel by their essential names.',
    ],
    picture: flow(['task_struct___old', 'cut at ___', 'task_struct'], 2),
    source: libbpf('relo_core.c', 'bpf_core_essential_name_len()'),
    related: ['flavour', 'candidate', 'root-type'],
    find: coreOf(FIELDS),
  },
  {
    id: 'flavour',
    says: [
      'What stands behind three underscores in the name of a type, there only to let one source declare the type in several ways.',
      'libbpf ignores it, so each way is tried on the same type of the kernel.',
    ],
    picture: flow(['task_struct', '___', 'old'], 2),
    source: libbpf('relo_core.c', 'bpf_core_essential_name_len()'),
    related: ['essential-name', 'guard'],
    find: null,
  },
  {
    id: 'candidate',
    says: [
      'A type of the kernel with the essential name and the kind of the root type.',
      'Each is tried, and where several fit they must lead to the same answer, or the object does not load.',
    ],
    picture: flow(['root type', 'candidate #0', 'candidate #1'], 1),
    source: libbpf('relo_core.c', 'bpf_core_calc_relo_insn()'),
    related: ['essential-name', 'spec', 'target'],
    find: null,
  },
  {
    id: 'target',
    says: [
      'The types that CO-RE resolves against: mostly those of the running kernel, out of /sys/kernel/btf/vmlinux.',
      'Where the kernel’s own lack the type, those of its modules are looked through.',
    ],
    picture: flow(['object', 'libbpf', 'vmlinux', 'modules'], 2),
    source: kernelBpf(
      'libbpf Overview',
      'BPF CO-RE (Compile Once – Run Everywhere)',
      'libbpf/libbpf_overview',
    ),
    related: ['core', 'candidate', 'base-btf'],
    find: null,
  },
  {
    id: 'local-value',
    says: [
      'The answer worked out on the object’s own types, which is what the compiler has put into the instruction.',
      'libbpf compares the two before it writes the answer of the kernel, and refuses the object where they differ.',
    ],
    picture: flow(['local spec', 'local value', 'in the instruction'], 1),
    source: libbpf('relo_core.c', 'bpf_core_patch_insn()'),
    related: ['spec', 'core-relo', 'target'],
    find: coreOf([0]),
  },
  {
    id: 'poison',
    says: [
      'Where the kernel has no such field, libbpf replaces the instruction by a call of a helper that cannot exist, number 195896080.',
      'The program still loads if the verifier proves that this call is never reached.',
    ],
    picture: bytes('85 00 00 00 10 23 ad 0b', 4, 8, 'imm 0x0bad2310'),
    source: libbpf('relo_core.c', 'bpf_core_poison_insn()'),
    related: ['guard', 'field-exists', 'verifier-log'],
    find: null,
  },
  {
    id: 'guard',
    says: [
      'A test by which a program asks first whether a field, type or enumerator exists, and reads it only then.',
      'The answer is a constant once the object is loaded, so the verifier drops the other branch with all that is poisoned in it.',
    ],
    picture: flow(['field_exists', 'is 0', 'branch is dead', 'poison in it'], 0),
    source: libbpf('bpf_core_read.h', 'bpf_core_field_exists()'),
    related: ['poison', 'field-exists', 'type-exists', 'enumval-exists'],
    find: coreOf([2, 8, 10]),
  },
];
