/** `btfscope raw`, `json`, `c`, `pahole`: all types as the field's tools print them. */
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { writeJson } from '#print/btf-json.ts';
import { writeRaw } from '#print/btf-raw.ts';
import { ByteText } from '#print/byte-text.ts';
import { writeC } from '#print/c-dump/dump.ts';
import { selfContainedHeader } from '#print/c-dump/header.ts';
import { paholeOf, writePahole } from '#print/pahole/pahole.ts';
import {
  allOf,
  BASE,
  type Command,
  CommandFailure,
  type NodeIo,
  type OptionSpec,
  option,
  type Parsed,
  positional,
  switched,
} from './command.ts';
import { namedType, openBase, openTypes } from './open.ts';

type Printer = (t: TypeTable, out: ByteText) => Generator<number, void>;

const TYPE: OptionSpec = {
  name: 'type',
  value: 'KIND:NAME',
  about: 'print this type only, with all types that it needs',
};

export const raw = dump(
  'raw',
  [BASE],
  'All types as bpftool btf dump … format raw prints them.',
  writeRaw,
);
export const json = dump(
  'json',
  [BASE],
  'All types as bpftool -j btf dump … prints them.',
  writeJson,
);

export const c: Command = {
  ...dump(
    'c',
    [BASE],
    'All types as bpftool btf dump … format c prints them, or one type as a header.',
    writeC,
  ),
  options: [
    BASE,
    TYPE,
    {
      name: 'member',
      value: 'NAME',
      many: true,
      about: 'with --type: keep these members, replace the others by padding',
    },
    {
      name: 'core',
      value: null,
      about: 'with --type: add preserve_access_index, leave out the padding',
    },
  ],
  run: (parsed, io) =>
    switched(parsed, 'type') ? runHeader(parsed, io) : runDump(parsed, io, writeC),
};

export const pahole: Command = {
  ...dump(
    'pahole',
    [BASE, TYPE],
    'All structs and unions as pahole -F btf prints them.',
    writePahole,
  ),
  run: (parsed, io) =>
    switched(parsed, 'type') ? runLayout(parsed, io) : runDump(parsed, io, writePahole),
};

function dump(
  name: string,
  options: readonly OptionSpec[],
  about: string,
  write: Printer,
): Command {
  const run = (parsed: Parsed, io: NodeIo) => runDump(parsed, io, write);
  return { name, positionals: ['FILE'], options, about, run };
}

async function runDump(parsed: Parsed, io: NodeIo, write: Printer): Promise<void> {
  const types = await typesOf(parsed, io);
  const out = new ByteText((chunk) => io.out(chunk));
  for (const _ of write(types, out)) {
    // Nobody waits in between: the process does nothing else.
  }
  out.end();
}

async function runHeader(parsed: Parsed, io: NodeIo): Promise<void> {
  const types = await typesOf(parsed, io);
  const members = allOf(parsed, 'member');
  const header = selfContainedHeader(types, namedType(types, option(parsed, 'type') ?? ''), {
    members: members.length === 0 ? null : members,
    preserveAccessIndex: switched(parsed, 'core'),
  });
  io.out(new TextEncoder().encode(header));
}

async function runLayout(parsed: Parsed, io: NodeIo): Promise<void> {
  const types = await typesOf(parsed, io);
  const text = option(parsed, 'type') ?? '';
  const layout = paholeOf(types, namedType(types, text));
  if (layout === '') throw new CommandFailure(`"${visible(text)}" is not a struct or union`);
  io.out(new TextEncoder().encode(layout));
}

async function typesOf(parsed: Parsed, io: NodeIo): Promise<TypeTable> {
  const base = await openBase(io, option(parsed, 'base'));
  const { model, types } = await openTypes(io, positional(parsed, 0), base);
  for (const { severity, message } of model.issues) {
    if (severity === 'error') io.warn(`btfscope: warning: ${visible(message)}`);
  }
  return types;
}
