/** Runs one command line on a given `NodeIo`. */
import { nearNames } from '#analysis/log/follow-names.ts';
import { visible } from '#bytes/text.ts';
import { UnpackedSum } from '#ingest/unpacked-sum.ts';
import {
  type Command,
  CommandFailure,
  callOf,
  commandHelp,
  cutText,
  failureLine,
  generalHelp,
  type NodeIo,
  shortLine,
  UsageError,
  usageLine,
  VERSION,
} from './command.ts';
import { COMMANDS } from './commands.ts';

const encoder = new TextEncoder();

/**
 * Runs a command line. Returns the exit status: 0 = success, 1 = unreadable or unwritable file, 2 =
 * invalid command line. Lines on standard error have control characters escaped.
 */
export async function run(words: readonly string[], given: NodeIo): Promise<number> {
  const io = bounded({
    ...given,
    warn: (line) => given.warn(shortLine(line)),
    progress: (text) => given.progress(text === null ? null : visible(text)),
  });
  try {
    const status = await dispatch(words, io);
    io.progress(null);
    return status;
  } catch (error) {
    io.warn(`btfscope: ${failureLine(error)}`);
    return 1;
  }
}

/** The output of a command is limited to 32 MiB, plus 64 bytes per byte read or unpacked. */
const OUT_PER_BYTE = 64;
const SMALL_OUT = 1 << 25;

function bounded(io: NodeIo): NodeIo {
  let most = SMALL_OUT;
  let length = 0;
  const sum = new UnpackedSum(
    (message) => new CommandFailure(message),
    (bytes) => {
      most += OUT_PER_BYTE * bytes;
    },
  );
  return {
    ...io,
    async open(path, check) {
      const source = await io.open(path, check);
      most += OUT_PER_BYTE * source.size;
      return sum.open(source);
    },
    out(chunk) {
      const room = Math.floor(most - length);
      length += Math.min(room, chunk.length);
      io.out(room < chunk.length ? chunk.subarray(0, room) : chunk);
      if (room < chunk.length) throw cutText(length);
    },
  };
}

/** Returns true if `name` is an existing FILE, or FILE(MEMBER) with an existing FILE. */
function namesFile(io: NodeIo, name: string): boolean {
  const opening = name.endsWith(')') ? [...name.matchAll(/\(/g)] : [];
  return io.exists(name) || opening.some(({ index }) => io.exists(name.slice(0, index)));
}

async function dispatch(words: readonly string[], io: NodeIo): Promise<number> {
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
  if (name === '--version') {
    io.out(encoder.encode(`btfscope ${VERSION}\n`));
    return 0;
  }
  const listed = COMMANDS.get(name);
  if (listed === undefined) {
    if (namesFile(io, name)) return await dispatch(['open', ...words], io);
    const near = nearNames(name, COMMANDS.keys());
    const meant = near.length === 0 ? '' : `; did you mean: ${near.join(', ')}`;
    io.warn(`btfscope: no command and no file is named "${name}"${meant}; see btfscope --help`);
    return 2;
  }
  const command = await listed.load();
  // A command may define its own -h: readelf does.
  const isOwn = command.options.some(({ letter }) => letter === 'h');
  // After `--`, all words are names of files.
  const names = rest.indexOf('--');
  const before = names < 0 ? rest : rest.slice(0, names);
  if (before.includes('--help') || (before.includes('-h') && !isOwn)) {
    io.out(encoder.encode(commandHelp(command, listed.about)));
    return 0;
  }
  return await finished(command, rest, io);
}

async function finished(command: Command, words: readonly string[], io: NodeIo): Promise<number> {
  try {
    await command.run(callOf(command, words, io));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.warn(
      `btfscope ${command.name}: ${shortLine(error.message, 500)}; usage: ${usageLine(command)}`,
    );
    return 2;
  }
}
