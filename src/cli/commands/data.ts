/** `btfscope data`: variables and maps with their initial values; or bytes read by a type. */

import { decodeValue } from '#analysis/values/decode.ts';
import { DumpError, hexBytes, parseMapDump } from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  type NodeIo,
  option,
  type Parsed,
  positional,
  switched,
  UsageError,
} from '#cli/command.ts';
import { printLines } from '#cli/json.ts';
import { openBase, openObject, openTypes } from '#cli/open.ts';
import { namedType } from '#cli/types.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { valueJson, writeMapDump } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';
import { dataJson, dataText, openData } from './data-rows.ts';

export const data: Command = {
  name: 'data',
  positionals: ['FILE'],
  options: [
    { name: 'json', value: null, about: 'as JSON, one row a variable, map or string' },
    { name: 'base', value: 'BASE', about: 'the BTF that a split one was made on' },
    { name: 'type', value: 'KIND:NAME', about: 'read bytes by this type of FILE' },
    { name: 'bytes', value: 'HEX', about: 'with --type: the bytes' },
    { name: 'from', value: 'PATH', about: 'with --type: a file that holds the bytes' },
    {
      name: 'dump',
      value: 'PATH',
      about: 'with --type: what bpftool map dump -j wrote; its values are of that type',
    },
    { name: 'key', value: 'KIND:NAME', about: 'with --dump: the type of its keys' },
    {
      name: 'endian',
      value: 'little|big',
      about: 'with --type: the byte order, if not that of FILE',
    },
  ],
  about:
    'Variables and maps with their types and initial values; or, with --type, given bytes\nread by a type, as C or with --json as bpftool map dump prints them.',
  run: (parsed, io) => (switched(parsed, 'type') ? runDecode(parsed, io) : runData(parsed, io)),
};

const WITH_TYPE = ['bytes', 'from', 'dump', 'key', 'endian'];
const SOURCES = ['bytes', 'from', 'dump'];

async function runData(parsed: Parsed, io: NodeIo): Promise<void> {
  const stray = WITH_TYPE.find((name) => switched(parsed, name));
  if (stray !== undefined) throw new UsageError(`--${stray} wants --type`);
  const base = await openBase(io, option(parsed, 'base'));
  const opened = await openData(await openObject(io, positional(parsed, 0), base));
  if (switched(parsed, 'json')) writeText(io, (write) => dataJson(opened, write));
  else await printLines(io, dataText(opened));
}

async function runDecode(parsed: Parsed, io: NodeIo): Promise<void> {
  const given = SOURCES.filter((name) => switched(parsed, name));
  if (given.length !== 1) throw new UsageError('--type wants one of --bytes, --from and --dump');
  if (switched(parsed, 'key') && !switched(parsed, 'dump'))
    throw new UsageError('--key wants --dump');
  const order = endianOf(option(parsed, 'endian'));
  const base = await openBase(io, option(parsed, 'base'));
  const { types } = await openTypes(io, positional(parsed, 0), base);
  const id = namedType(types, option(parsed, 'type') ?? '');
  const endian = order ?? types.endian;
  if (switched(parsed, 'dump')) return await printDump(parsed, io, types, id, endian);
  const bytes = await givenBytes(parsed, io);
  const value = decodeValue(types, id, bytes, 0, { endian });
  if (switched(parsed, 'json')) {
    writeText(io, (write) => write(`${valueJson(value, { isPlain: false })}\n`));
  } else {
    const lines = valueLines(`(${declarationText(types, value.type, '')})`, value);
    await printLines(io, shown(lines));
  }
  const size = Math.ceil(value.bitSize / 8);
  if (size !== bytes.length) {
    io.warn(`btfscope: warning: the type has ${size} bytes, ${bytes.length} were given`);
  }
}

async function printDump(
  parsed: Parsed,
  io: NodeIo,
  types: TypeTable,
  value: TypeId,
  endian: Endian,
): Promise<void> {
  const keyText = option(parsed, 'key');
  const key = keyText === null ? null : namedType(types, keyText);
  const text = new TextDecoder().decode(await fileBytes(io, option(parsed, 'dump') ?? ''));
  const entries = checked(() => parseMapDump(text));
  const form = switched(parsed, 'json') ? 'pretty' : 'plain';
  writeText(io, (write) => writeMapDump(write, entries, { types, key, value, endian }, form));
}

function endianOf(text: string | null): Endian | null {
  if (text === null || text === 'little' || text === 'big') return text;
  throw new UsageError(`"${visible(text)}" is no byte order: little or big`);
}

async function givenBytes(parsed: Parsed, io: NodeIo): Promise<Uint8Array> {
  const text = option(parsed, 'bytes');
  return text === null
    ? await fileBytes(io, option(parsed, 'from') ?? '')
    : checked(() => hexBytes(text));
}

async function fileBytes(io: NodeIo, path: string): Promise<Uint8Array> {
  const source = await io.open(path);
  return await source.read(0, source.size);
}

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    throw new CommandFailure(visible(error.message));
  }
}

function* shown(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield line.replace(/[^\t]+/g, visible);
}

const CHUNK = 1 << 16;

/** Text that is written in small pieces, a chunk at a time. */
function writeText(io: NodeIo, work: (write: (text: string) => void) => void): void {
  const encoder = new TextEncoder();
  let pieces: string[] = [];
  let length = 0;
  const flush = () => {
    if (length > 0) io.out(encoder.encode(pieces.join('')));
    pieces = [];
    length = 0;
  };
  work((text) => {
    pieces.push(text);
    length += text.length;
    if (length >= CHUNK) flush();
  });
  flush();
}
