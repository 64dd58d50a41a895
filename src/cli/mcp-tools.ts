/** The tools of `btfscope mcp`. Each tool runs one command with `--json`. */
import * as z from 'zod';
import { ASKS } from '#analysis/atlas/questions.ts';
import { DEPENDENCIES } from '#analysis/kernel/dependency.ts';
import { OUTCOMES } from '#analysis/libbpf/outcome.ts';
import { compareKernels } from '#analysis/load/kernel-names.ts';
import { type JudgedKernel, loadSentence } from '#analysis/load/load-sentence.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { logAnswer } from './mcp-log.ts';

/** Arguments of a `btfscope` call. `log` is the text of the file that the arguments name `-`. */
export type Asked = {
  readonly command: string;
  readonly options: readonly (readonly [name: string, value: string | boolean | undefined])[];
  readonly positionals: readonly string[];
  readonly log?: string | undefined;
  /** Returns the answer for the parsed output of the command; by default the whole output. */
  readonly answer?: (printed: unknown) => unknown;
  /** Returns the answer in short for the parsed output of the command: one sentence per object. */
  readonly summary?: (printed: unknown) => readonly string[];
};

export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly ask: (input: z.infer<Input>) => Asked;
};

/** Returns `declared` with an `ask` that parses its input: one list can then contain all tools. */
function tool<Input extends z.ZodObject>(declared: Tool<Input>): Tool {
  const { input, ask } = declared;
  return { ...declared, ask: (given) => ask(input.parse(given)) };
}

const text = (about: string) => z.string().min(1).max(4096).describe(about);
const FILE = text(
  'Path of a BPF object, BTF file, kernel or module, from a folder of the server; FILE(MEMBER) is a member of an archive.',
);
const BASE = text('The base BTF (vmlinux), where the file is split BTF of a module.').optional();
const files = (about: string) => z.array(text(about)).max(64);

const many = (name: string, values: readonly string[] = []) =>
  values.map((value) => [name, value] as const);

/** Input of tools that ask about kernels: the kernels, and facts about them. */
const ON_KERNELS = {
  kernels: files('BTF of a kernel, a folder or archive of kernels, or "none".').default([]),
  atlas: text('An atlas: all its kernels.').optional(),
  modules: files('A folder or archive of modules of the kernels.').default([]),
  config: text('The configuration of the kernel, as /boot/config.').optional(),
  kallsyms: text('The symbols of the kernel, as /proc/kallsyms.').optional(),
  release: text('What uname -r prints.').optional(),
};

function kernelOptions(kernels: z.infer<z.ZodObject<typeof ON_KERNELS>>): Asked['options'] {
  return [
    ...many('kernel', kernels.kernels),
    ...many('modules', kernels.modules),
    ['atlas', kernels.atlas],
    ['config', kernels.config],
    ['kallsyms', kernels.kallsyms],
    ['release', kernels.release],
  ];
}

const listOf = (printed: unknown): readonly unknown[] =>
  Array.isArray(printed) ? printed : [printed];

const REASONS = z.array(z.object({ depends_on: z.enum(DEPENDENCIES).nullable() }));
const LOAD_ROW = z.object({
  object: z.string(),
  kernel: z.string(),
  outcome: z.enum(OUTCOMES),
  reasons: REASONS,
  programs: z.array(z.object({ autoload: z.boolean(), reasons: REASONS })),
});

/** Returns for each object of `load --json` the sentence on which kernels it loads. */
function loadSentences(printed: unknown): readonly string[] {
  const objects = new Map<string, JudgedKernel[]>();
  for (const row of listOf(printed)) {
    const read = LOAD_ROW.safeParse(row);
    // Without kernels, the rows are those of `needs`.
    if (!read.success) continue;
    const { object, kernel: name, outcome, reasons, programs } = read.data;
    const briefOf = (list: typeof reasons) =>
      list.map(({ depends_on: dependsOn }) => (dependsOn === null ? {} : { dependsOn }));
    const verdict = {
      outcome,
      reasons: briefOf(reasons),
      programs: programs.map((program) => ({ ...program, reasons: briefOf(program.reasons) })),
    };
    addTo(objects, object, { name, verdict });
  }
  return Array.from(objects, ([object, kernels]) => {
    return `${object}: ${loadSentence(kernels.toSorted(compareKernels))}`;
  });
}

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'describe_file',
    title: 'Describe a file',
    description:
      'What a BPF object, BTF file, kernel or module has: programs, maps, format, sections, number of types by kind, CO-RE relocations, and what is wrong with it.',
    input: z.object({ file: FILE, base: BASE }),
    ask: ({ file, base }) => ({
      command: 'info',
      options: [['base', base]],
      positionals: [file],
    }),
  }),
  tool({
    name: 'describe_type',
    title: 'Describe a type',
    description:
      'A struct, union, enum, typedef or function of a file: its C, size, members with bit offsets and sizes, holes, where its record is in the file, and how other types of this name differ.',
    input: z.object({
      file: FILE,
      type: text('Name (task_struct), kind and name (struct:task_struct), or type id (123).'),
      base: BASE,
    }),
    ask: ({ file, type, base }) => ({
      command: 'type',
      options: [['base', base]],
      positionals: [file, type],
    }),
  }),
  tool({
    name: 'member_offset',
    title: 'Offset of a member',
    description:
      'Where a member is in a struct: byte and bit offset, size, whether it is a bit-field, its access string and BPF_CORE_READ. Or the reverse: which members cover a byte.',
    input: z.object({
      file: FILE,
      member: text(
        'task_struct.pid, sk_buff.cb[3], task_struct.mm->owner->comm through pointers, or, for the members that cover a byte, sk_buff+0x58.',
      ).regex(/[.+]|->/, 'a type and a member (task_struct.pid) or a byte (sk_buff+0x58)'),
      base: BASE,
    }),
    ask: ({ file, member, base }) => ({
      command: 'type',
      options: [['base', base]],
      positionals: [file, member],
    }),
  }),
  tool({
    name: 'find_paths',
    title: 'Find paths between types',
    description:
      'The shortest paths from a struct to another type or field through members and pointers, as C and as BPF_CORE_READ.',
    input: z.object({
      file: FILE,
      from: text('The struct to start from: task_struct.'),
      to: text('A type (net_device), a field (sk_family) or a field of a type (sock.sk_rcvbuf).'),
      limit: z.number().int().min(1).max(50).default(5).describe('Number of paths.'),
      container_of: z.boolean().default(false).describe('Include container_of steps.'),
      base: BASE,
    }),
    ask: ({ file, from, to, limit, container_of, base }) => ({
      command: 'paths',
      options: [
        ['limit', `${limit}`],
        ['container-of', container_of],
        ['base', base],
      ],
      positionals: [file, from, to],
    }),
  }),
  tool({
    name: 'compare',
    title: 'Compare the types of two files',
    description:
      'What changed from one BTF to another: all types that were added, removed or changed; or, with a type, its differences member by member.',
    input: z.object({
      before: FILE,
      after: FILE,
      type: text('Compare this type only: task_struct.').optional(),
      base: BASE,
    }),
    ask: ({ before, after, type, base }) => ({
      command: 'diff',
      options: [
        ['type', type],
        ['base', base],
      ],
      positionals: [before, after],
    }),
  }),
  tool({
    name: 'core_verdicts',
    title: 'CO-RE relocations on kernels',
    description:
      'What libbpf makes of each CO-RE relocation of an object on each kernel: status, offsets before and after, and why one fails. `statuses` counts all; `rows` has those that do not resolve plainly, or all.',
    input: z.object({
      object: FILE,
      kernels: files('BTF of a kernel.').min(1),
      modules: files('BTF of a module of the kernel, in load order; of one kernel only.').default(
        [],
      ),
      all: z.boolean().default(false).describe('Also the relocations that resolve (status ok).'),
      steps: z.boolean().default(false).describe('With the steps of libbpf, which are long.'),
    }),
    ask: ({ object, kernels, modules, all, steps }) => ({
      command: 'core',
      options: [...many('target', kernels), ...many('module', modules)],
      positionals: [object],
      answer: (printed) => coreAnswer(printed, all, steps),
    }),
  }),
  tool({
    name: 'load_verdicts',
    title: 'Does it load',
    description:
      'Whether libbpf loads objects on kernels, up to the verifier, with the reason for each program that does not. What depends on something that was not given is listed as undecided. Without kernels and atlas: the oldest Linux that has all that each object uses, and what decides it.',
    input: z.object({
      objects: files('A BPF object.').min(1),
      ...ON_KERNELS,
    }),
    ask: ({ objects, ...kernels }) => ({
      positionals: objects,
      answer: listOf,
      // Without a kernel, the question is what the objects need of one.
      ...(kernels.kernels.length === 0 && kernels.atlas === undefined
        ? { command: 'needs', options: [] }
        : {
            command: 'load',
            options: [...kernelOptions(kernels), ['fail-on', 'never']],
            summary: loadSentences,
          }),
    }),
  }),
  tool({
    name: 'attach_points',
    title: 'Can it be traced',
    description:
      'Which kinds of programs (fentry, fexit, fmod_ret, kprobe, tp_btf, lsm, iter …) can be attached to a function, tracepoint, LSM hook or iterator on each kernel, why not, and its prototype there. What depends on something that was not given, such as /proc/kallsyms, is undecided.',
    input: z.object({
      functions: z
        .array(text('Name of a function of the kernel, or of an LSM hook, iterator or tracepoint.'))
        .min(1)
        .max(64),
      ...ON_KERNELS,
    }),
    ask: ({ functions, ...kernels }) => ({
      command: 'attach',
      options: kernelOptions(kernels),
      positionals: functions,
      answer: listOf,
    }),
  }),
  tool({
    name: 'explain_log',
    title: 'Explain a log',
    description:
      'Why a log of the verifier, or of libbpf, cilium/ebpf or aya, is of a failure: the cause, the source lines that the bad value came through, and what to write instead; with the object, its types, source lines and relocations; with kernels, whether their types have what the log names.',
    input: z.object({
      log: z.string().min(1).max(1_000_000).describe('The text of the log.').optional(),
      log_file: FILE.optional(),
      object: FILE.optional(),
      kernels: files('BTF of a kernel.').default([]),
    }),
    ask: ({ log, log_file, object, kernels }) => ({
      command: 'explain',
      options: [['object', object], ...many('kernel', kernels)],
      positionals: [log_file ?? '-'],
      log,
      answer: logAnswer,
    }),
  }),
  tool({
    name: 'ask_atlas',
    title: 'Ask an atlas of kernels',
    description:
      'In which of many kernels a type, member, enumerator or function is, and with which layout, offset, value or prototype; "history" says what changed from one to the next.',
    input: z.object({
      atlas: text('Path of an atlas file.'),
      ask: z.enum(['type', 'history', ...ASKS]),
      name: text('task_struct; for a member task_struct.pid; for an enumerator ENUM.NAME.'),
    }),
    ask: ({ atlas, ask, name }) => ({
      command: 'atlas',
      options: [],
      positionals: ['ask', atlas, ask, name],
    }),
  }),
];

/** Returns the number of rows of `core --json` per status and target, and the requested rows. */
function coreAnswer(printed: unknown, all: boolean, steps: boolean) {
  const rows = z.array(z.record(z.string(), z.unknown())).parse(printed);
  const counts = new Map<string, { target: unknown; status: unknown; count: number }>();
  for (const { target, status } of rows) {
    const counted = getOrCreate(counts, `${status} ${target}`, () => ({
      target,
      status,
      count: 0,
    }));
    counted.count++;
  }
  const wanted = rows.filter(({ status }) => all || status !== 'ok');
  return {
    statuses: [...counts.values()],
    rows: wanted.map(({ trace, ...row }) => (steps ? { ...row, trace } : row)),
  };
}
