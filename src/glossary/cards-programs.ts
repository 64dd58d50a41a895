/** Terms of BPF objects as libbpf reads them: programs, maps, data, externs. */

import { licenseSection } from '#analysis/code/programs.ts';
import { holdsMaps } from '#analysis/objects/section-role.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { nameOf } from '#model/type-table.ts';
import { firstProgram, sectionNamed, sectionWhere } from './find-objects.ts';
import { typeOf } from './find-types.ts';
import { bytes, flow } from './picture.ts';
import { kernelBpf, libbpf } from './sources.ts';
import type { TermCard } from './term.ts';

const SKELETON = kernelBpf('libbpf Overview', 'BPF Object Skeleton File', 'libbpf/libbpf_overview');

export const PROGRAM_CARDS: readonly TermCard[] = [
  {
    id: 'program-section',
    says: [
      'The name of a section of code, given by SEC() in the source, tells libbpf the type of the programs in it and what they attach to.',
      'What stands before the slash is the type, and what stands behind it the place: kprobe/do_unlinkat.',
    ],
    picture: flow(['SEC("kprobe/f")', 'type kprobe', 'attach to f'], 0),
    source: kernelBpf(
      'Program Types and ELF Sections',
      'Program Types and ELF Sections',
      'libbpf/program_types',
    ),
    related: ['insn', 'sh-flags', 'license'],
    find: firstProgram,
  },
  {
    id: 'map',
    says: [
      'A store of keys and values that programs and user space share, of a fixed type and size.',
      'A program refers to it by a ld_imm64 whose relocation names the map’s symbol.',
    ],
    picture: flow(['program', 'map', 'user space'], 1),
    source: kernelBpf('BPF maps', 'BPF maps', 'maps'),
    related: ['maps-section', 'ld-imm64', 'global-data'],
    find: sectionWhere(holdsMaps, 'data'),
  },
  {
    id: 'maps-section',
    says: [
      'In .maps each map is a variable of a struct type that holds no data: libbpf reads its attributes from the BTF.',
      'A number is written as a pointer to an array of that many elements, and a type as a pointer to it.',
    ],
    picture: flow(['member max_entries', 'PTR', 'ARRAY', 'nelems 256'], 3),
    source: libbpf('bpf_helpers.h', '__uint(), __type()'),
    related: ['map', 'kind-datasec', 'nelems'],
    find: sectionNamed('.maps', 'data'),
  },
  {
    id: 'global-data',
    says: [
      'Global variables stand in .data, .bss and .rodata, and libbpf makes an array map with one element of each of these sections.',
      'A program reaches a variable as a place in the value of that map.',
    ],
    picture: flow(['.data', 'array map', 'value[0]', '+ offset'], 1),
    source: SKELETON,
    related: ['rodata', 'kind-datasec', 'var-secinfo', 'reloc-64-64'],
    find: (model) => sectionNamed('.data', 'data')(model) ?? sectionNamed('.bss', 'data')(model),
  },
  {
    id: 'rodata',
    says: [
      'Constants: user space may set them before the program is loaded, and nobody may after that.',
      'The map is frozen by then, so the verifier knows the values and drops branches that they rule out.',
    ],
    picture: flow(['set', 'load and freeze', 'verify'], 1),
    source: SKELETON,
    related: ['global-data', 'guard', 'kconfig'],
    find: sectionNamed('.rodata', 'data'),
  },
  {
    id: 'kconfig',
    says: [
      'Externs in .kconfig get their values from the configuration of the running kernel, such as CONFIG_HZ.',
      'LINUX_KERNEL_VERSION and a few more come from libbpf itself.',
    ],
    picture: flow(['extern __kconfig', '/proc/config.gz', 'value'], 0),
    source: libbpf('bpf_helpers.h', '__kconfig'),
    related: ['ksyms', 'rodata', 'linkage'],
    find: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.kconfig'),
  },
  {
    id: 'ksyms',
    says: [
      'Externs in .ksyms are functions and variables of the kernel, which libbpf looks up when it loads the object.',
      'Those with a type are found in the kernel’s BTF, those without one in /proc/kallsyms, and weak ones may be missing.',
    ],
    picture: flow(['extern __ksym', 'vmlinux BTF', 'id or address'], 0),
    source: libbpf('bpf_helpers.h', '__ksym'),
    related: ['kfunc', 'kconfig', 'pseudo-src'],
    find: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.ksyms'),
  },
  {
    id: 'license',
    says: [
      'A section with the licence as a text, which libbpf hands to the kernel with each program.',
      'Helpers that are marked for the GPL may be called only where it is a licence that the kernel counts as such.',
    ],
    picture: bytes('47 50 4c 00', 0, 4, '“GPL”'),
    source: kernelBpf('BPF licensing', 'Using BPF programs in the Linux kernel', 'bpf_licensing'),
    related: ['program-section', 'helper'],
    find: (model) => {
      const section = licenseSection(model);
      return section === null ? null : { selection: { kind: 'section', section }, view: 'bytes' };
    },
  },
  {
    id: 'verifier-log',
    says: [
      'What the kernel prints while it checks a program: each instruction with what it knows of the registers, and why it stops.',
      'Lines of source in it come from line_info, and a poisoned instruction shows as an unknown function number 195896080.',
    ],
    picture: flow(['program', 'verifier', 'log'], 2),
    source: kernelBpf('eBPF verifier', 'Understanding eBPF verifier messages', 'verifier'),
    related: ['poison', 'line-info', 'guard'],
    find: null,
  },
];
