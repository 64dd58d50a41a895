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
      'From the name of a code section, set by SEC(), libbpf gets the type of its programs and their attach target.',
      'In kprobe/do_unlinkat, kprobe is the type and do_unlinkat the target.',
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
      'Key/value storage that programs and user space share.',
      'A program refers to it by a ld_imm64 with a relocation to the map’s symbol.',
    ],
    picture: flow(['program', 'map', 'user space'], 1),
    source: kernelBpf('BPF maps', 'BPF maps', 'maps'),
    related: ['maps-section', 'ld-imm64', 'global-data'],
    find: sectionWhere(holdsMaps, 'data'),
  },
  {
    id: 'maps-section',
    says: [
      'In .maps each map is a variable without data: libbpf reads the attributes from the BTF of its struct type.',
      'A number is encoded as a pointer to an array of that many elements, a type as a pointer to it.',
    ],
    picture: flow(['member max_entries', 'PTR', 'ARRAY', 'nelems 256'], 3),
    source: libbpf('bpf_helpers.h', '__uint(), __type()'),
    related: ['map', 'kind-datasec', 'nelems'],
    find: sectionNamed('.maps', 'data'),
  },
  {
    id: 'global-data',
    says: [
      'Global variables are in .data, .bss and .rodata; libbpf creates an array map with one element for each section.',
      'A program accesses a variable by its offset in the value of that map.',
    ],
    picture: flow(['.data', 'array map', 'value[0]', '+ offset'], 1),
    source: SKELETON,
    related: ['rodata', 'kind-datasec', 'var-secinfo', 'reloc-64-64'],
    find: (model) => sectionNamed('.data', 'data')(model) ?? sectionNamed('.bss', 'data')(model),
  },
  {
    id: 'rodata',
    says: [
      'Constants: user space may set them before the program is loaded, but not after.',
      'The map is frozen, so the verifier treats the values as constants and removes dead branches.',
    ],
    picture: flow(['set', 'load and freeze', 'verify'], 1),
    source: SKELETON,
    related: ['global-data', 'guard', 'kconfig'],
    find: sectionNamed('.rodata', 'data'),
  },
  {
    id: 'kconfig',
    says: [
      'Externs in .kconfig have the values of the running kernel’s configuration, such as CONFIG_HZ.',
      'libbpf itself provides LINUX_KERNEL_VERSION and a few others.',
    ],
    picture: flow(['extern __kconfig', '/proc/config.gz', 'value'], 0),
    source: libbpf('bpf_helpers.h', '__kconfig'),
    related: ['ksyms', 'rodata', 'linkage'],
    find: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.kconfig'),
  },
  {
    id: 'ksyms',
    says: [
      'Externs in .ksyms are functions and variables of the kernel; libbpf resolves them at load time.',
      'Typed ones are looked up in the kernel’s BTF, untyped ones in /proc/kallsyms; weak ones may be missing.',
    ],
    picture: flow(['extern __ksym', 'vmlinux BTF', 'id or address'], 0),
    source: libbpf('bpf_helpers.h', '__ksym'),
    related: ['kfunc', 'kconfig', 'pseudo-src'],
    find: typeOf([BtfKind.DATASEC], (t, id) => nameOf(t, id) === '.ksyms'),
  },
  {
    id: 'license',
    says: [
      'A section with the licence string, which libbpf passes to the kernel with each program.',
      'GPL-only helpers require a licence that the kernel accepts as GPL-compatible.',
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
      'The verifier’s output: the instructions, the state of the registers, and the reason for a rejection.',
      'Its source lines come from line_info; a poisoned instruction is unknown#195896080, which libbpf writes as <invalid CO-RE relocation>.',
    ],
    picture: flow(['program', 'verifier', 'log'], 2),
    source: kernelBpf('eBPF verifier', 'Understanding eBPF verifier messages', 'verifier'),
    related: ['poison', 'line-info', 'guard'],
    find: null,
  },
];
