/** An entry in the list of lessons. It repeats the front matter, because lessons load lazily. */
export type CatalogueEntry = {
  /** Id of the lesson in an address (`lesson=ID`) and in the file name `texts/ID.md`. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** Subject of the lesson, in one sentence. */
  readonly about: string;
  /** Estimated duration in minutes, a multiple of five. */
  readonly minutes: number;
};

const ENTRIES: readonly Omit<CatalogueEntry, 'number'>[] = [
  {
    id: 'why-core',
    title: 'Why CO-RE',
    about:
      'One compiled program, two kernels with other layouts, and what the loader does about it.',
    minutes: 15,
  },
  {
    id: 'bpf-object',
    title: 'What is in a BPF object',
    about:
      'Find the programs, maps, variables and types of a compiled BPF program in its sections.',
    minutes: 15,
  },
  {
    id: 'btf-header',
    title: 'The BTF header and its strings',
    about: 'Take a BTF blob apart with a hex dump: its 24-byte header, its types, its names.',
    minutes: 10,
  },
  {
    id: 'info-word',
    title: 'struct btf_type and its info word',
    about: 'Read any type record byte by byte, and say where the next one begins.',
    minutes: 15,
  },
  {
    id: 'kinds',
    title: 'The kinds, one by one',
    about:
      'Nineteen kinds describe every type of C: what each of them stores, and what it leaves out.',
    minutes: 15,
  },
  {
    id: 'structs',
    title: 'Structs, bit offsets and bit-fields',
    about: 'Find the place of any member: bytes, bits, holes, padding, and what kind_flag changes.',
    minutes: 20,
  },
  {
    id: 'reading-c',
    title: 'Reading C out of ids',
    about:
      'How records of pointers, arrays and prototypes, which refer to each other by id, become a C declaration.',
    minutes: 20,
  },
  {
    id: 'btf-ext',
    title: '.BTF.ext: func_info and line_info',
    about: 'How the kernel finds the function and the source line of an instruction.',
    minutes: 15,
  },
  {
    id: 'elf-relocations',
    title: 'ELF relocations: S + A',
    about: 'The gaps that clang leaves in code and data, and how to find the value of each.',
    minutes: 20,
  },
  {
    id: 'linker-bytes',
    title: 'What the linker does to these four bytes',
    about: 'One call in C, three machines: how a relocation becomes bits.',
    minutes: 5,
  },
  {
    id: 'access-strings',
    title: 'CO-RE and access strings',
    about:
      'Why a program needs CO-RE, what clang records about each access, and how to read 0:1:2.',
    minutes: 15,
  },
  {
    id: 'bit-field-relocations',
    title: 'Bit-fields through CO-RE, and the shifts',
    about: 'Five records read one bit-field on any kernel; compute each of their numbers by hand.',
    minutes: 15,
  },
  {
    id: 'other-kernel',
    title: 'CO-RE on another kernel',
    about:
      'How libbpf finds a type and a field in a kernel with another layout, and what it does if there is none.',
    minutes: 15,
  },
  {
    id: 'split-btf',
    title: 'Split BTF, modules and .BTF.base',
    about:
      'How the types of a module extend those of the kernel, and how they are relocated to a rebuilt kernel.',
    minutes: 15,
  },
  {
    id: 'it-fails',
    title: 'It fails on another kernel',
    about: 'From a line of a log to its cause, its record, and a program that loads everywhere.',
    minutes: 10,
  },
  {
    id: 'it-was-refused',
    title: 'It was refused',
    about:
      'From the last line of a verifier log to the value that caused it, the check that was missing, and a program that loads.',
    minutes: 10,
  },
  {
    id: 'my-object',
    title: 'Check my object',
    about: 'Your own compiled program, from its sections to the kernels that it loads on.',
    minutes: 15,
  },
  {
    id: 'from-source',
    title: 'From source to load',
    about:
      'A program that compiles and does nothing right: find its mistakes before a kernel does.',
    minutes: 10,
  },
  {
    id: 'vmlinux-h',
    title: 'vmlinux.h and BPF_CORE_READ',
    about:
      'All types of a kernel in one header, what a macro writes for a path, and the part of a kernel that a program needs.',
    minutes: 15,
  },
  {
    id: 'externs',
    title: 'Externs: kconfig and kfuncs',
    about:
      'Names that an object leaves to the kernel: options, variables and functions, and what libbpf puts in their place.',
    minutes: 15,
  },
  {
    id: 'maps',
    title: 'BTF of maps',
    about:
      'How a map is declared by types alone, and how its keys and values are printed with names.',
    minutes: 10,
  },
  {
    id: 'struct-ops',
    title: 'struct_ops: programs in a table',
    about:
      'A table of functions that the kernel calls: what is matched by name, and what the map holds in the end.',
    minutes: 15,
  },
  {
    id: 'dwarf-to-btf',
    title: 'From DWARF to BTF',
    about:
      'Where BTF comes from, in a BPF object and in a kernel, and what is left out on the way.',
    minutes: 10,
  },
  {
    id: 'alpha',
    title: 'Beyond BPF: Alpha stack expressions',
    about: 'A relocation format that computes, and how to evaluate its expressions by hand.',
    minutes: 15,
  },
  {
    id: 'exercises-layout',
    title: 'Exercises: layout',
    about:
      'Type C until every member is where it must be: padding, packed, aligned, bit-fields, unions.',
    minutes: 25,
  },
  {
    id: 'exercises-btf',
    title: 'Exercises: kinds',
    about: 'Type C until its BTF matches: pointers, prototypes, enums, tags, variables.',
    minutes: 30,
  },
  {
    id: 'exercises-core',
    title: 'Exercises: CO-RE',
    about: 'Type C until access strings, flavours, maps and externs are what the loader needs.',
    minutes: 20,
  },
];

export const CATALOGUE = ENTRIES.map((entry, i): CatalogueEntry => ({ ...entry, number: i + 1 }));

/** Translations of the lessons; their files are `texts/ID.LANG.md`. */
export const TRANSLATIONS: readonly {
  readonly id: string;
  /** Language code (BCP 47): `de`. */
  readonly lang: string;
  /** Name of the language in that language: `Deutsch`. */
  readonly name: string;
}[] = [{ id: 'why-core', lang: 'de', name: 'Deutsch' }];

/** Returns the lesson id and the language of a key: `why-core.de` is `why-core` in German. */
export function languageOfKey(key: string): { readonly id: string; readonly lang: string } {
  const translation = TRANSLATIONS.find(({ id, lang }) => key === `${id}.${lang}`);
  return translation ?? { id: key, lang: 'en' };
}

/** Returns the title of the lesson with this key; null if the lesson is not in the list. */
export function titleOfKey(key: string): string | null {
  const { id } = languageOfKey(key);
  return CATALOGUE.find((entry) => entry.id === id)?.title ?? null;
}

/** Returns the languages of a lesson and its key in each; empty if it has no translation. */
export function languagesOf(
  key: string,
): readonly { readonly key: string; readonly lang: string; readonly name: string }[] {
  const { id } = languageOfKey(key);
  const translations = TRANSLATIONS.filter((translation) => translation.id === id);
  if (translations.length === 0) return [];
  const keyed = translations.map(({ lang, name }) => ({ key: `${id}.${lang}`, lang, name }));
  return [{ key: id, lang: 'en', name: 'English' }, ...keyed];
}

/** Name of a series of lessons. */
export type Track = 'why' | 'workshop' | 'format' | 'exercises';

export const TRACKS: Readonly<
  Record<Track, { readonly title: string; readonly ids: readonly string[] }>
> = {
  why: { title: 'Why CO-RE', ids: ['why-core', 'other-kernel'] },
  workshop: {
    title: 'Workshop',
    ids: [
      'why-core',
      'bpf-object',
      'btf-header',
      'info-word',
      'access-strings',
      'other-kernel',
      'vmlinux-h',
      'from-source',
      'it-fails',
    ],
  },
  format: {
    title: 'The format',
    ids: [
      'btf-header',
      'info-word',
      'kinds',
      'structs',
      'reading-c',
      'btf-ext',
      'elf-relocations',
      'linker-bytes',
      'split-btf',
      'maps',
      'externs',
      'struct-ops',
      'dwarf-to-btf',
    ],
  },
  exercises: { title: 'Exercises', ids: ['exercises-layout', 'exercises-btf', 'exercises-core'] },
};

/** Returns the lessons of a track in the order in which they are read. */
export function lessonsOf(track: Track): CatalogueEntry[] {
  return TRACKS[track].ids.flatMap((id) => CATALOGUE.filter((entry) => entry.id === id));
}

/** Returns the lesson after `key` in the track, else in the whole list; null after the last. */
export function nextLesson(key: string, track: Track | null): CatalogueEntry | null {
  const { id } = languageOfKey(key);
  const entries = track === null ? CATALOGUE : lessonsOf(track);
  const at = entries.findIndex((entry) => entry.id === id);
  if (at < 0) return track === null ? null : nextLesson(id, null);
  return entries[at + 1] ?? null;
}
