/** Equivalent command text, and what the text is called as a file. */
import type { TextFormat } from '#store/texts.ts';

/** What the command is run on. Raw names. */
type CommandFiles = {
  readonly file: string;
  /** The file with the types that split BTF stands on; null for none. */
  readonly base: string | null;
};

/** A word of a shell's command: in quotes where it has to be, and never taken for an option. */
function shellWord(name: string): string {
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./:@%+,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Without a newline. The name of the file stands for its path, which a browser does not tell. */
export function toolCommand(format: TextFormat, { file, base }: CommandFiles): string {
  const path = shellWord(file);
  if (format === 'pahole') {
    return `pahole -F btf ${base === null ? '' : `--btf_base ${shellWord(base)} `}${path}`;
  }
  const options = [
    ...(format === 'json' ? ['-j'] : []),
    ...(base === null ? [] : ['-B', shellWord(base)]),
  ];
  const dump = ['bpftool', ...options, 'btf', 'dump', 'file', path].join(' ');
  return format === 'json' ? dump : `${dump} format ${format}`;
}

/** `vmlinux.h`, `prog.bpf.btf.json`: the file's name with another ending. */
export function textFileName(format: TextFormat, file: string): string {
  return `${file.replace(/\.(?:o|ko|btf|elf|debug)$/i, '') || 'types'}${FORMATS[format].ending}`;
}

type FormatText = {
  /** On the switch between the forms. */
  readonly title: string;
  /** In a sentence: "The types as …". */
  readonly name: string;
  readonly ending: string;
};

export const FORMATS: Readonly<Record<TextFormat, FormatText>> = {
  c: { title: 'C', name: 'a C header', ending: '.h' },
  raw: { title: 'Raw', name: 'raw records', ending: '.btf.txt' },
  json: { title: 'JSON', name: 'JSON', ending: '.btf.json' },
  pahole: { title: 'pahole', name: 'pahole’s layouts', ending: '.pahole.txt' },
};
