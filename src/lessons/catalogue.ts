/**
 * The lessons that come with the page, in their order. What the list says of each is
 * what its text says at its head; the texts themselves are fetched when they are opened.
 */
export type CatalogueEntry = {
  /** File in `texts/` without its ending, and the lesson's name in an address. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** One sentence. */
  readonly about: string;
};

export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    id: 'bpf-object',
    number: 1,
    title: 'What is in a BPF object',
    about:
      'Find the programs, maps, variables and types of a compiled BPF program in its sections.',
  },
  {
    id: 'btf-header',
    number: 2,
    title: 'The BTF header and its strings',
    about: 'Take a BTF blob apart with a hex dump: its 24-byte header, its types, its names.',
  },
  {
    id: 'info-word',
    number: 3,
    title: 'struct btf_type and its info word',
    about: 'Read any type record byte by byte, and say where the next one begins.',
  },
  {
    id: 'kinds',
    number: 4,
    title: 'The kinds, one by one',
    about:
      'Nineteen kinds describe every type of C; see what each of them stores, and what it leaves out.',
  },
  {
    id: 'structs',
    number: 5,
    title: 'Structs, bit offsets and bit-fields',
    about: 'Find the place of any member: bytes, bits, holes, padding, and what kind_flag changes.',
  },
  {
    id: 'reading-c',
    number: 6,
    title: 'Reading C out of ids',
    about:
      'How pointers, arrays and prototypes, records that name each other by number, become a C declaration.',
  },
  {
    id: 'btf-ext',
    number: 7,
    title: '.BTF.ext: func_info and line_info',
    about: 'How the kernel knows which function and which source line an instruction belongs to.',
  },
  {
    id: 'elf-relocations',
    number: 8,
    title: 'ELF relocations: S + A',
    about: 'The gaps that clang leaves in code and data, and how to tell what goes into each.',
  },
  {
    id: 'access-strings',
    number: 9,
    title: 'CO-RE and access strings',
    about:
      'Why a program needs CO-RE, what clang writes down about each access, and how to read 0:1:2.',
  },
  {
    id: 'bit-field-relocations',
    number: 10,
    title: 'Bit-fields through CO-RE, and the shifts',
    about:
      'Five records read one bit-field on any kernel, and you work out each of their numbers by hand.',
  },
  {
    id: 'other-kernel',
    number: 11,
    title: 'CO-RE on another kernel',
    about:
      'How libbpf finds a type and a field in a kernel that is laid out differently, and what it does when there is none.',
  },
  {
    id: 'split-btf',
    number: 12,
    title: 'Split BTF, modules and .BTF.base',
    about:
      'How the types of a module build on those of the kernel, and how they are moved to a kernel that was built anew.',
  },
  {
    id: 'alpha',
    number: 13,
    title: 'Beyond BPF: Alpha stack expressions',
    about: 'A relocation format that computes, and how to evaluate its expressions by hand.',
  },
];
