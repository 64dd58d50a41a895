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
      'Compile once, run everywhere: the object records each field that it reads, and the loader adjusts the offsets to the running kernel.',
      'It needs the BTF of the object and of the kernel; kinds 0 to 5 of relocation are about a field, 6 to 9 and 12 about a type, 10 and 11 about an enumerator.',
    ],
    picture: flow(['object', 'core_relo', 'libbpf', 'kernel BTF'], 1),
    source: llvmReloc('CO-RE Relocations'),
    related: ['core-relo', 'target', 'access-string', 'poison'],
    find: coreOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  },
  {
    id: 'access-string',
    says: [
      'The path to a field as numbers: the first is an array index at the pointer, each further one is a member or element index.',
      'For a type the string is “0”; for an enumerator it is its index in the enum.',
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
    id: 'gep',
    says: [
      'The instruction of LLVM IR that computes the address of a member or element; an access string is close to its list of indices.',
      'Its first index, too, counts whole structs at the pointer: s->b is 0:1, s[1].c[5] is 1:2:0:5, since c is in an anonymous struct.',
    ],
    picture: flow(['1 s[1]', '2 anonymous', '0 c', '5 [5]'], 0),
    source: CORE_RECORD,
    related: ['access-string', 'spec', 'member'],
    find: null,
  },
  {
    id: 'spec',
    says: [
      'What libbpf parses an access string into: the names and indices of the path, and the bit offset of the field.',
      'The local spec is of the object’s types; a target spec is the same path, matched by name in a type of the kernel.',
    ],
    picture: flow(['0:1:2', 'foo.b.c', '@ offset 16'], 1),
    source: libbpf('relo_core.c', 'bpf_core_parse_spec()'),
    related: ['access-string', 'candidate', 'verifier-log'],
    find: coreOf(FIELDS),
  },
  {
    id: 'root-type',
    says: [
      'The type at which an access begins, by its id in the object.',
      'Candidates have its essential name and its kind: a typedef matches only typedefs, a struct only structs; ENUM and ENUM64 count as one kind.',
    ],
    picture: flow(['type_id', 'struct sk_buff', 'candidates'], 1),
    source: CORE_RECORD,
    related: ['access-string', 'candidate', 'essential-name'],
    find: extField('core', 4, 4),
  },
  {
    id: 'essential-name',
    says: [
      'The name without its flavour: task_struct for task_struct___old.',
      'Types and enumerators are matched in the kernel by their essential names.',
    ],
    picture: flow(['task_struct___old', 'cut at ___', 'task_struct'], 2),
    source: libbpf('relo_core.c', 'bpf_core_essential_name_len()'),
    related: ['flavour', 'candidate', 'root-type'],
    find: coreOf(FIELDS),
  },
  {
    id: 'flavour',
    says: [
      'The suffix of a type name after three underscores, so that one source can declare several versions of a type.',
      'libbpf ignores it, so all versions match the same type of the kernel.',
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
      'If several candidates match, they must give the same result, or the object does not load.',
    ],
    picture: flow(['root type', 'candidate #0', 'candidate #1'], 1),
    source: libbpf('relo_core.c', 'bpf_core_calc_relo_insn()'),
    related: ['essential-name', 'spec', 'target'],
    find: null,
  },
  {
    id: 'target',
    says: [
      'The types that CO-RE relocations are resolved against, by default /sys/kernel/btf/vmlinux.',
      'If vmlinux does not have the type, libbpf searches the modules.',
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
      'The value for the object’s own types, which the compiler has written into the instruction.',
      'libbpf rejects the object if the instruction holds another value; offsets, sizes and left shifts of bit-fields, and type ids, are not compared.',
    ],
    picture: flow(['local spec', 'local value', 'in the instruction'], 1),
    source: libbpf('relo_core.c', 'bpf_core_patch_insn()'),
    related: ['spec', 'core-relo', 'target'],
    find: coreOf([0]),
  },
  {
    id: 'poison',
    says: [
      'If the kernel does not have the field, libbpf replaces the instruction by a call of the nonexistent helper 195896080.',
      'If it is reachable, the verifier reports invalid func unknown#195896080; in its log libbpf replaces that by <invalid CO-RE relocation>.',
    ],
    picture: bytes('85 00 00 00 10 23 ad 0b', 4, 8, 'imm 0x0bad2310'),
    source: libbpf('relo_core.c', 'bpf_core_poison_insn()'),
    related: ['guard', 'field-exists', 'verifier-log'],
    find: null,
  },
  {
    id: 'guard',
    says: [
      'An existence check of a field, type or enumerator before the program reads it.',
      'After loading, its result is a constant, so the verifier removes the other branch with its poisoned instructions.',
    ],
    picture: flow(['field_exists', 'is 0', 'branch is dead', 'poison in it'], 0),
    source: libbpf('bpf_core_read.h', 'bpf_core_field_exists()'),
    related: ['poison', 'field-exists', 'type-exists', 'enumval-exists'],
    find: coreOf([2, 8, 10]),
  },
];
