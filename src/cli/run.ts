/** Runs one command line in a given io. */
import { type Issue, Malformed } from '#bytes/issue.ts';
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  type CommandIo,
  callOf,
  commandHelp,
  cutText,
  generalHelp,
  type NodeIo,
  UsageError,
  usageLine,
} from './command.ts';

/** What the help says of a command, and the command. */
type Listed = {
  /** In a line. */
  readonly about: string;
  readonly load: () => Promise<Command>;
};

/**
 * All commands, in the order in which the help lists them. Each is loaded when it is called: a
 * dump does not wait for the code of a check, and the help for none.
 */

const dumps = () => import('./dump.ts');

const COMMANDS: ReadonlyMap<string, Listed> = new Map([
  [
    'open',
    {
      about: 'Open FILE in the browser; "btfscope FILE" does the same.',
      load: async () => (await import('./open-page.ts')).openPage,
    },
  ],
  [
    'info',
    {
      about: 'Summary of a file: headers, sections, number of types and records, issues.',
      load: async () => (await import('./info.ts')).info,
    },
  ],
  [
    'members',
    {
      about: 'List the members of an archive or package, or the BPF objects inside a program.',
      load: async () => (await import('./members.ts')).members,
    },
  ],
  [
    'raw',
    {
      about:
        'All types as bpftool btf dump … format raw prints them; of several files merged, on their --base.',
      load: async () => (await dumps()).raw,
    },
  ],
  [
    'json',
    {
      about:
        'All types as bpftool -j btf dump … prints them; of several files merged, on their --base.',
      load: async () => (await dumps()).json,
    },
  ],
  [
    'c',
    {
      about:
        'All types as bpftool btf dump … format c prints them, of several files merged, or one type as a header.',
      load: async () => (await dumps()).c,
    },
  ],
  [
    'pahole',
    {
      about: 'All structs and unions as pahole -F btf prints them.',
      load: async () => (await dumps()).pahole,
    },
  ],
  [
    'readelf',
    {
      about:
        'Headers, sections, relocations and symbols, as llvm-readelf -h -S -s -r -W prints them.',
      load: async () => (await import('./readelf.ts')).readelf,
    },
  ],
  [
    'disasm',
    {
      about:
        'Disassembly with each relocation under its instruction, as llvm-objdump -dr prints it.',
      load: async () => (await import('./disasm.ts')).disasm,
    },
  ],
  [
    'inlined',
    {
      about: 'Where functions were inlined (LOCSEC), and where the parameters of each call are.',
      load: async () => (await import('./inlined.ts')).inlined,
    },
  ],
  [
    'symbols',
    {
      about: 'All symbols: value, size, type, binding, visibility, section and name.',
      load: async () => (await import('./symbols.ts')).symbols,
    },
  ],
  [
    'relocs',
    {
      about:
        'All relocation entries: offset, r_info, type, symbol value S, addend A, and what is written.',
      load: async () => (await import('./relocs.ts')).relocs,
    },
  ],
  [
    'data',
    {
      about: 'Variables and maps with their types and initial values; or, with --type, given bytes',
      load: async () => (await import('./data.ts')).data,
    },
  ],
  [
    'where',
    {
      about: 'The fields that contain a byte, from the file down to the bits.',
      load: async () => (await import('./where.ts')).where,
    },
  ],
  [
    'core',
    {
      about: 'The result of each CO-RE relocation on each kernel, as libbpf computes it.',
      load: async () => (await import('./core.ts')).core,
    },
  ],
  [
    'paths',
    {
      about:
        'Paths from a type to another type or to a field, through members and pointers; shortest first.',
      load: async () => (await import('./paths.ts')).paths,
    },
  ],
  [
    'query',
    {
      about: 'SQL over types, members, functions and relocations of one or more files.',
      load: async () => (await import('./query.ts')).query,
    },
  ],
  [
    'min',
    {
      about:
        'Write the types and members of a kernel that the CO-RE relocations need, as bpftool gen min_core_btf does.',
      load: async () => (await import('./min.ts')).min,
    },
  ],
  [
    'diff',
    {
      about:
        'Differences between two BTF files: types added, removed, changed, or with a nested change.',
      load: async () => (await import('./diff.ts')).diff,
    },
  ],
  [
    'load',
    {
      about: 'Whether libbpf 1.8 loads objects on kernels, up to the verifier, and why not.',
      load: async () => (await import('./load.ts')).load,
    },
  ],
  [
    'load-calls',
    {
      about:
        'What libbpf 1.8 hands to the kernel: BPF_BTF_LOAD, BPF_MAP_CREATE and BPF_PROG_LOAD with their BTF attributes.',
      load: async () => (await import('./load-calls.ts')).loadCallsCommand,
    },
  ],
  [
    'check',
    {
      about:
        'Whether libbpf 1.8 opens the file, whether it and Linux 6.18 accept the BTF, func_info and line_info, which fix-ups libbpf applies, and all problems.',
      load: async () => (await import('./check.ts')).check,
    },
  ],
  [
    'atlas',
    {
      about: 'Questions to many kernels at once, from one file.',
      load: async () => (await import('./atlas.ts')).atlas,
    },
  ],
]);

const encoder = new TextEncoder();

/**
 * Runs the command line `words`, without the name of the program. Gives the
 * exit status: 0; 1 with one line on standard error when a file cannot be read or
 * written; 2 when the command line is wrong. Any other exception is a bug and is thrown.
 * Names of files may hold control characters: no line of standard error does.
 */
export async function run(words: readonly string[], given: NodeIo): Promise<number> {
  const io = bounded({ ...given, warn: (line) => given.warn(visible(line)) });
  try {
    return await dispatch(words, io);
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof CommandFailure)) throw error;
    io.warn(`btfscope: ${error instanceof Malformed ? issueLine(error.issue) : error.message}`);
    return 1;
  }
}

/** Standard output has at most 32 MiB, and so many bytes for each byte that was read or unpacked. */
const OUT_PER_BYTE = 64;
const SMALL_OUT = 1 << 25;

/** The io of one command. */
function bounded(io: NodeIo): CommandIo {
  let most = SMALL_OUT;
  let length = 0;
  const unpacked = (bytes: number) => {
    most += OUT_PER_BYTE * bytes;
  };
  return {
    ...io,
    unpacked,
    async open(path) {
      const source = await io.open(path);
      unpacked(source.size);
      return source;
    },
    out(chunk) {
      const room = Math.floor(most - length);
      length += Math.min(room, chunk.length);
      io.out(room < chunk.length ? chunk.subarray(0, room) : chunk);
      if (room < chunk.length) throw cutText(length);
    },
  };
}

async function dispatch(words: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = COMMANDS.get(rest[0] ?? '');
    const help =
      asked === undefined
        ? generalHelp(Array.from(COMMANDS, ([each, { about }]) => [each, about]))
        : commandHelp(await asked.load(), asked.about);
    io.out(encoder.encode(help));
    return name === undefined ? 2 : 0;
  }
  const listed = COMMANDS.get(name);
  if (listed === undefined) {
    if (io.exists(name)) return await dispatch(['open', ...words], io);
    io.warn(`btfscope: no command and no file is named "${name}"; see btfscope --help`);
    return 2;
  }
  const command = await listed.load();
  // A command may have -h for itself, as readelf has.
  const isOwn = command.options.some(({ letter }) => letter === 'h');
  if (rest.includes('--help') || (rest.includes('-h') && !isOwn)) {
    io.out(encoder.encode(commandHelp(command, listed.about)));
    return 0;
  }
  return await finished(command, rest, io);
}

async function finished(
  command: Command,
  words: readonly string[],
  io: CommandIo,
): Promise<number> {
  try {
    await command.run(callOf(command, words, io));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.warn(`btfscope ${command.name}: ${error.message}; usage: ${usageLine(command)}`);
    return 2;
  }
}

/** An issue in one line, with its place and what was expected and found. */
function issueLine(issue: Issue): string {
  const { message, span, expected, found } = issue;
  const place = span === null ? '' : ` (at offset 0x${span.start.toString(16)})`;
  const wanted = expected === undefined ? '' : `; expected ${expected}`;
  const seen = found === undefined ? '' : `${wanted === '' ? ';' : ','} found ${found}`;
  return `${message}${place}${wanted}${seen}`;
}
