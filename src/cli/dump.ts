/** `btfscope raw`, `json`, `c`, `pahole`: all types as bpftool and pahole print them. */
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { writeJson, writeRaw } from '#print/btf-dump.ts';
import { ByteText } from '#print/byte-text.ts';
import { writeC } from '#print/c-dump/dump.ts';
import { selfContainedHeader } from '#print/c-dump/header.ts';
import { paholeOf, writePahole } from '#print/pahole/pahole.ts';
import {
  BASE,
  type Call,
  type Command,
  CommandFailure,
  flag,
  type OptionSpec,
  valued,
} from './command.ts';
import { namedType, openFileTypes } from './open.ts';

type Printer = (t: TypeTable, out: ByteText) => Generator<number, void>;

const TYPE = valued('type', 'KIND:NAME', 'print this type only, with all types that it needs');

export const raw = dump('raw', 'All types as bpftool btf dump … format raw prints them.', writeRaw);
export const json = dump('json', 'All types as bpftool -j btf dump … prints them.', writeJson);

export const c = dump(
  'c',
  'All types as bpftool btf dump … format c prints them, or one type as a header.',
  writeC,
  {
    options: [
      TYPE,
      {
        ...valued(
          'member',
          'NAME',
          'with --type: keep these members, replace the others by padding',
        ),
        many: true,
      },
      flag('core', 'with --type: add preserve_access_index, leave out the padding'),
    ],
    textOf(types, id, call) {
      const members = call.all('member');
      return selfContainedHeader(types, id, {
        members: members.length === 0 ? null : members,
        preserveAccessIndex: call.has('core'),
      });
    },
  },
);

export const pahole = dump(
  'pahole',
  'All structs and unions as pahole -F btf prints them.',
  writePahole,
  {
    options: [TYPE],
    textOf(types, id, call) {
      const layout = paholeOf(types, id);
      if (layout !== '') return layout;
      throw new CommandFailure(`"${visible(call.option('type') ?? '')}" is not a struct or union`);
    },
  },
);

/** What a dump does with `--type`. */
type OneType = {
  readonly options: readonly OptionSpec[];
  readonly textOf: (types: TypeTable, id: TypeId, call: Call) => string;
};

function dump(name: string, about: string, write: Printer, oneType?: OneType): Command {
  const options = [BASE, ...(oneType?.options ?? [])];
  return {
    name,
    positionals: ['FILE'],
    options,
    about,
    async run(call) {
      const { model, types } = await openFileTypes(call);
      for (const { severity, message } of model.issues) {
        if (severity === 'error') call.io.warn(`btfscope: warning: ${visible(message)}`);
      }
      const type = call.option('type');
      if (oneType !== undefined && type !== null) {
        return call.write(oneType.textOf(types, namedType(types, type), call));
      }
      const out = new ByteText((chunk) => call.io.out(chunk));
      for (const _ of write(types, out)) {
        // No pauses between slices: the process does nothing else.
      }
      out.end();
    },
  };
}
