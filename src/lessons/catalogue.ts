/**
 * The lessons that come with the page, in their order; the last three are exercises. What the list says of each is
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

const ENTRIES: readonly Omit<CatalogueEntry, 'number'>[] = [
  {
    id: 'bpf-object',
    title: 'What is in a BPF object',
    about:
      'Find the programs, maps, variables and types of a compiled BPF program in its sections.',
  },
  {
    id: 'btf-header',
    title: 'The BTF header and its strings',
    about: 'Take a BTF blob apart with a hex dump: its 24-byte header, its types, its names.',
  },
  {
    id: 'info-word',
    title: 'struct btf_type and its info word',
    about: 'Read any type record byte by byte, and say where the next one begins.',
  },
  {
    id: 'kinds',
    title: 'The kinds, one by one',
    about:
      'Nineteen kinds describe every type of C: what each of them stores, and what it leaves out.',
  },
  {
    id: 'structs',
    title: 'Structs, bit offsets and bit-fields',
    about: 'Find the place of any member: bytes, bits, holes, padding, and what kind_flag changes.',
  },
  {
    id: 'reading-c',
    title: 'Reading C out of ids',
    about:
      'How records of pointers, arrays and prototypes, which refer to each other by id, become a C declaration.',
  },
  {
    id: 'btf-ext',
    title: '.BTF.ext: func_info and line_info',
    about: 'How the kernel finds the function and the source line of an instruction.',
  },
  {
    id: 'elf-relocations',
    title: 'ELF relocations: S + A',
    about: 'The gaps that clang leaves in code and data, and how to find the value of each.',
  },
  {
    id: 'access-strings',
    title: 'CO-RE and access strings',
    about:
      'Why a program needs CO-RE, what clang records about each access, and how to read 0:1:2.',
  },
  {
    id: 'bit-field-relocations',
    title: 'Bit-fields through CO-RE, and the shifts',
    about: 'Five records read one bit-field on any kernel; compute each of their numbers by hand.',
  },
  {
    id: 'other-kernel',
    title: 'CO-RE on another kernel',
    about:
      'How libbpf finds a type and a field in a kernel with another layout, and what it does if there is none.',
  },
  {
    id: 'split-btf',
    title: 'Split BTF, modules and .BTF.base',
    about:
      'How the types of a module extend those of the kernel, and how they are relocated to a rebuilt kernel.',
  },
  {
    id: 'alpha',
    title: 'Beyond BPF: Alpha stack expressions',
    about: 'A relocation format that computes, and how to evaluate its expressions by hand.',
  },
  {
    id: 'exercises-layout',
    title: 'Exercises: layout',
    about:
      'Type C until every member is where it must be: padding, packed, aligned, bit-fields, unions.',
  },
  {
    id: 'exercises-btf',
    title: 'Exercises: kinds',
    about: 'Type C until its BTF matches: pointers, prototypes, enums, tags, variables.',
  },
  {
    id: 'exercises-core',
    title: 'Exercises: CO-RE',
    about: 'Type C until access strings, flavours, maps and externs are what the loader needs.',
  },
];

export const CATALOGUE = ENTRIES.map((entry, i): CatalogueEntry => ({ ...entry, number: i + 1 }));
