/** `btfscope raw`, `json`, `c`, `pahole`: print all types as bpftool and pahole do. */
import type { SplitFile } from '#analysis/dedup/add-types.ts';
import { mergeSplit } from '#analysis/dedup/dedup.ts';
import { append } from '#bytes/arrays.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { btfOf, type ObjectModel } from '#model/object-model.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { type DumpOptions, writeJson, writeRaw } from '#print/btf-dump.ts';
import { ByteText, longestText } from '#print/byte-text.ts';
import { type COptions, writeC } from '#print/c-dump/dump.ts';
import { selfContainedHeader } from '#print/c-dump/header.ts';
import { paholeOf, writePahole } from '#print/pahole/pahole.ts';
import {
  hasPaholeText,
  type NamedEntry,
  writePaholeOfDwarf,
  writeTypeOfDwarf,
} from '#print/pahole/pahole-dwarf.ts';
import { TOOL_VERSIONS, type Tool, type VersionOf } from '#print/tool-versions.ts';
import {
  BASE,
  type Call,
  type Command,
  CommandFailure,
  cutText,
  flag,
  jsonText,
  type OptionSpec,
  repeated,
  UsageError,
  valued,
} from './command.ts';
import { readEncodedFile } from './encoded-file.ts';
import { type NamedBase, namedType, openBase, openFileTypes, openTypes } from './open.ts';

type Printer = (t: TypeTable, out: ByteText, call: Call) => Generator<number, void>;

const TYPE = valued('type', 'KIND:NAME', 'print this type only, with all types that it needs');

/** Declares the option that selects the version of `tool`. */
function versionOption(tool: Tool): OptionSpec {
  const versions = TOOL_VERSIONS[tool];
  const about = `version of ${tool} whose text is printed; default ${versions[0]}`;
  return valued(tool, versions.join('|'), about);
}

function versionOf<T extends Tool>(call: Call, tool: T): VersionOf<T> {
  const versions: readonly VersionOf<T>[] = TOOL_VERSIONS[tool];
  const version = call.option(tool) ?? TOOL_VERSIONS[tool][0];
  const known = versions.find((each) => each === version);
  if (known === undefined) throw new UsageError(`unknown version "${visible(version)}" of ${tool}`);
  return known;
}

const AS_TEXT = flag('json', 'print JSON: the text, and what is wrong with the types');

const BPFTOOL = [
  versionOption('bpftool'),
  repeated('root-id', 'ID', 'print this type only; of C, with all types that it needs'),
];

const MAX_ROOTS = 16;

/** Returns bpftool's options for its text formats. Source: bpftool, `do_dump`. */
function bpftoolOptions(call: Call, types: TypeTable): DumpOptions {
  const bpftool = versionOf(call, 'bpftool');
  const words = call.all('root-id');
  if (words.length > MAX_ROOTS)
    throw new UsageError(`at most ${MAX_ROOTS} --root-id are supported`);
  if (words.length > 0 && bpftool === '7.1') {
    throw new UsageError('bpftool 7.1 has no --root-id');
  }
  if (call.positionals.length > 1 && bpftool === '7.1') {
    throw new UsageError('bpftool 7.1 merges no files');
  }
  const ids = words.map(rootId);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) throw new UsageError(`--root-id ${twice} is given twice`);
  const missing = ids.find((id) => id !== 0 && !hasType(types, typeId(id)));
  if (missing !== undefined) throw new CommandFailure(`invalid root id ${missing}: no such type`);
  return { bpftool, roots: ids.map(typeId) };
}

/** Parses a type id in decimal, hexadecimal (`0x`) or octal notation (`0`). */
function rootId(word: string): number {
  if (!/^(0x[\da-f]+|0[0-7]*|[1-9]\d*)$/i.test(word)) {
    throw new UsageError(`"${visible(word)}" is not a type id`);
  }
  return /^0\d/.test(word) ? Number.parseInt(word, 8) : Number(word);
}

function cOptions(call: Call, types: TypeTable): COptions {
  const options = bpftoolOptions(call, types);
  const unsorted = call.has('unsorted');
  if (unsorted && options.bpftool === '7.1') throw new UsageError('bpftool 7.1 has no --unsorted');
  return { ...options, unsorted };
}

const asJson: Printer = (t, out, call) => writeJson(t, out, bpftoolOptions(call, t));

export const raw = dump(
  'raw',
  (t, out, call) =>
    call.has('json') ? asJson(t, out, call) : writeRaw(t, out, bpftoolOptions(call, t)),
  { merges: true, options: [...BPFTOOL, flag('json', 'print what "json" prints')] },
);

export const json = dump('json', asJson, {
  merges: true,
  options: [...BPFTOOL, flag('json', 'print JSON, as without it')],
});

export const c = dump('c', (t, out, call) => writeC(t, out, cOptions(call, t)), {
  merges: true,
  options: [
    ...BPFTOOL,
    AS_TEXT,
    flag('unsorted', 'keep the order of ids'),
    TYPE,
    repeated('member', 'NAME', 'with --type: keep these members, replace the others by padding'),
    flag('core', 'with --type: add preserve_access_index, leave out the padding'),
  ],
  textOf(types, id, call) {
    if (call.has('root-id')) throw new UsageError('give --type or --root-id, not both');
    const members = call.all('member');
    return selfContainedHeader(types, id, {
      members: members.length === 0 ? null : members,
      preserveAccessIndex: call.has('core'),
    });
  },
});

export const pahole = dump(
  'pahole',
  (t, out, call) => writePahole(t, out, { pahole: versionOf(call, 'pahole') }),
  {
    options: [versionOption('pahole'), AS_TEXT, TYPE],
    fromDwarf: paholeFromDwarf,
    textOf(types, id, call) {
      const layout = paholeOf(types, id, { pahole: versionOf(call, 'pahole') });
      if (layout !== '') return layout;
      throw notLaidOut(call);
    },
  },
);

/**
 * Returns the printer of a file with DWARF in C and without BTF, for all types or that with the id
 * `type`; null for other files, and for a type that pahole does not find.
 */
async function paholeFromDwarf(
  call: Call,
  { model, source, types }: Opened,
  type: TypeId | null,
): Promise<Printer | null> {
  if (model === null || source === null || btfOf(model) !== null) return null;
  if (model.format !== 'elf' || versionOf(call, 'pahole') !== '1.31') return null;
  const file = await readEncodedFile(source, model);
  if (file === null || !hasPaholeText(file.dwarf)) return null;
  const named = type === null ? null : namedEntry(types, type, call.option('type') ?? '');
  if (type !== null && named === null) return null;
  return function* (t, out) {
    if (named === null) {
      for (const _step of writePaholeOfDwarf(file, out)) yield t.count;
      return;
    }
    const work = writeTypeOfDwarf(file, named, out);
    let step = work.next();
    for (; step.done !== true; step = work.next()) yield t.count;
    if (!step.value) throw notLaidOut(call);
    // Source: pahole.c, `pahole_stealer`.
    out.latin1('\n');
  };
}

/** Kinds of types that pahole finds by their names. */
const PAHOLE_KINDS: ReadonlySet<number> = new Set([
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.ENUM64,
  BtfKind.TYPEDEF,
]);

/** Returns how pahole finds a type, which `text` names; null if it has no name or another kind. */
function namedEntry(types: TypeTable, type: TypeId, text: string): NamedEntry | null {
  const name = nameOf(types, type);
  const kind = kindOf(types, type);
  if (name === '' || !PAHOLE_KINDS.has(kind)) return null;
  const stored = kind === BtfKind.ENUM64 ? BtfKind.ENUM : kind;
  return { name, kind: text === name ? null : stored };
}

function notLaidOut(call: Call): CommandFailure {
  return new CommandFailure(`"${visible(call.option('type') ?? '')}" is not a struct or union`);
}

/** Properties of a dump command: options, several files or one, handling of `--type`. */
type DumpSpec = {
  readonly merges?: boolean;
  readonly options: readonly OptionSpec[];
  readonly textOf?: (types: TypeTable, id: TypeId, call: Call) => string;
  /** Returns the printer of DWARF; null if the types are printed as those of BTF. */
  readonly fromDwarf?: (call: Call, opened: Opened, type: TypeId | null) => Promise<Printer | null>;
};

function dump(
  name: string,
  write: Printer,
  { merges = false, options: own, textOf, fromDwarf }: DumpSpec,
): Command {
  const options = [BASE, ...own];
  return {
    name,
    positionals: [merges ? 'FILE…' : 'FILE'],
    options,
    async run(call) {
      const opened = await openFiles(call);
      const { issues, types } = opened;
      const warnings = issues.filter(({ severity }) => severity === 'error');
      for (const { message } of warnings) call.io.warn(`btfscope: warning: ${visible(message)}`);
      const isText = call.has('json') && own.includes(AS_TEXT);
      const out = isText ? jsonOut(call, warnings) : (chunk: Uint8Array) => call.io.out(chunk);
      const named = textOf === undefined ? null : call.option('type');
      const type = named === null ? null : namedType(types, named);
      const printer = await fromDwarf?.(call, opened, type);
      if (printer == null && textOf !== undefined && type !== null) {
        out(new TextEncoder().encode(textOf(types, type, call)));
      } else writeAll(printer ?? write, types, call, out);
      if (isText) call.write('"\n}\n');
    },
  };
}

function writeAll(
  write: Printer,
  types: TypeTable,
  call: Call,
  sink: (chunk: Uint8Array) => void,
): void {
  const out = new ByteText(sink);
  const most = longestText(types);
  for (const done of write(types, out, call)) {
    if (out.length > most) break;
    call.io.progress(`writing: ${done} of ${types.count}`);
  }
  out.end();
  if (out.length > most) throw cutText(out.length);
}

/** Writes the start of a JSON object. Returns a writer for its last field, the text of the dump. */
function jsonOut(call: Call, warnings: readonly Issue[]): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  const messages = warnings.map(({ message }) => message);
  call.write(`{\n  "warnings": ${jsonText(messages)},\n  "text": "`);
  return (chunk) => call.write(jsonText(decoder.decode(chunk, { stream: true })).slice(1, -1));
}

type Opened = {
  readonly issues: readonly Issue[];
  readonly types: TypeTable;
  /** The only file, without a base; null for several files. */
  readonly model: ObjectModel | null;
  readonly source: ByteSource | null;
};

/** bpftool's limit for the number of merged files (`MAX_BTF_FILES`). */
const MAX_MERGED = 64;

/** Opens the FILEs of a call. Several files become one split BTF (bpftool, `merge_btf_files`). */
async function openFiles(call: Call): Promise<Opened> {
  const { positionals } = call;
  if (positionals.length === 1) {
    const { model, types, source } = await openFileTypes(call);
    return { issues: model.issues, types, model, source };
  }
  if (positionals.length > MAX_MERGED) {
    throw new UsageError(`too many files: at most ${MAX_MERGED} can be merged`);
  }
  const base = await openBase(call.io, call.all('base'));
  if (base === null) throw new UsageError('several files need the --base that they are split on');
  const files: SplitFile[] = [];
  const issues: Issue[] = [];
  for (const name of positionals) {
    const opened = await openToMerge(call, name, base);
    append(issues, opened.issues);
    files.push({ name, types: opened.types });
  }
  return { issues, types: mergeSplit(base, files), model: null, source: null };
}

/** Opens one of the files to merge. If a part is damaged, rejects with the file's name. */
async function openToMerge(call: Call, name: string, base: NamedBase) {
  try {
    const { model, types } = await openTypes(call.io, name, base);
    if (!types.split) {
      throw new CommandFailure(`${visible(name)} is not split BTF: it cannot be merged`);
    }
    const isBroken = ({ severity, code }: Issue) => severity === 'error' && /^btf\./.test(code);
    const broken = model.issues.find(isBroken);
    if (broken !== undefined) throw new Malformed(broken);
    return { issues: model.issues, types };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const { message } = error.issue;
    const [first = ''] = message.split(': ');
    if (name.endsWith(first)) throw error;
    throw new Malformed({ ...error.issue, message: `${name}: ${message}` });
  }
}
