/** The words of a command line, sorted by what a command takes. */
import { parseArgs } from 'node:util';
import { type Command, type Parsed, UsageError } from './command.ts';

/** Reads the words after the command's name. Throws `UsageError` that says which word is wrong. */
export function parseWords(command: Command, words: readonly string[]): Parsed {
  const parsed = parse(command, words);
  const { length } = parsed.positionals;
  const wanted = command.positionals.length;
  if (length < wanted) throw new UsageError(`${command.positionals[length]} is missing`);
  if (length > wanted && command.positionals.at(-1)?.endsWith('…') !== true) {
    throw new UsageError(`"${parsed.positionals[wanted]}" is one argument too many`);
  }
  return parsed;
}

function parse(command: Command, words: readonly string[]): Parsed {
  try {
    const { positionals, tokens } = parseArgs({
      args: [...words],
      allowPositionals: true,
      tokens: true,
      options: Object.fromEntries(
        command.options.map(({ name, value }) => [
          name,
          { type: value === null ? 'boolean' : 'string', ...(SHORT.has(name) && { short: name }) },
        ]),
      ),
    });
    const options = new Map<string, string[]>();
    for (const token of tokens) {
      if (token.kind !== 'option') continue;
      options.set(token.name, [...(options.get(token.name) ?? []), token.value ?? '']);
    }
    for (const { name, many } of command.options) {
      if (many !== true && (options.get(name)?.length ?? 0) > 1) {
        throw new UsageError(`${dashed(name)} is given more than once`);
      }
    }
    return { positionals, options };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UsageError) throw error;
    throw new UsageError(error.message.split('. ')[0] ?? error.message);
  }
}

/** Options of one letter, which are written with one dash. */
const SHORT: ReadonlySet<string> = new Set(['o']);

/** The option as it is typed: `--base`, `-o`. */
export function dashed(name: string): string {
  return SHORT.has(name) ? `-${name}` : `--${name}`;
}
