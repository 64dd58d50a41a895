/**
 * What a section of data is for, in words.
 * Source: libbpf's bpf_object__elf_collect and bpf_object__init_global_data_maps.
 */
import { isZeros } from '#analysis/values/object-data.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import type { DataGroup } from './data-entries.ts';

/** What it holds, for a list: the first sentence. */
export function sectionAbout(model: ObjectModel, group: DataGroup): string {
  const words = sectionWords(model, group);
  return words.slice(0, words.search(/\. |\.$/) + 1);
}

/** Two or three plain sentences. */
export function sectionWords(model: ObjectModel, { name, section, role }: DataGroup): string {
  if (!isBpf(model)) {
    return section === null
      ? 'BTF lists these variables by their section. Their bytes are not in this file.'
      : 'BTF lists these variables by their section.';
  }
  if (role === 'maps') return name === '.maps' ? MAPS : OLD_MAPS;
  if (role === 'strings') return STRINGS;
  const known = WORDS.get(name);
  if (known !== undefined) return known;
  if (/^\??\.struct_ops(\.link)?$/.test(name)) return STRUCT_OPS;
  if (name.startsWith('.data.')) return `Variables under a name of their own. ${ONE_ELEMENT}`;
  if (name.startsWith('.rodata.')) return `Constants under a name of their own. ${READ_ONLY}`;
  if (section !== null && isZeros(model, section)) {
    return 'Variables that begin as zeros, under a name of their own. libbpf makes a map of .bss alone: code that refers to this section does not load.';
  }
  return 'Variables in a section that libbpf does not know. It makes no map of it: code that refers to it does not load.';
}

const ONE_ELEMENT =
  'libbpf makes an array map with one element of the section, and these bytes are its first content.';
const READ_ONLY = `${ONE_ELEMENT} It is frozen before programs load, so that the verifier knows the values.`;

const MAPS =
  'Definitions of maps. libbpf reads them from the types alone: the bytes are zeros but for the slots that relocations fill.';
const OLD_MAPS =
  'Definitions of maps as before 2019, a struct bpf_map_def each. libbpf refuses them since version 1.0.';
const STRINGS =
  'String literals that the compiler has merged. Pointers lead into it; it has no variables.';
const STRUCT_OPS =
  'Tables of functions that programs stand in for. libbpf makes a STRUCT_OPS map of each variable; relocations fill the slots with programs.';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['.data', `Variables that begin with a value. ${ONE_ELEMENT}`],
  ['.rodata', `Constants. ${READ_ONLY}`],
  [
    '.bss',
    'Variables that begin as zeros, which take no bytes in the file. libbpf makes an array map with one element of the section.',
  ],
  [
    '.kconfig',
    'Options of the kernel. Before it loads the object, libbpf reads the configuration of the running kernel and writes the values into a read-only map.',
  ],
  [
    '.ksyms',
    'What the kernel has and this file only names. libbpf looks for each of them when it loads the object.',
  ],
  ['license', 'The licence of the programs, which libbpf passes to the kernel.'],
  ['version', 'The kernel version that programs are for. Kernels before 5.0 asked for it.'],
  ['.addr_space.1', 'Variables in an arena: memory that programs and user space share by address.'],
]);
