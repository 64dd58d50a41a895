/** What `btfscope` says of itself. */
import { dashed } from './arguments.ts';
import type { Command } from './command.ts';

/** One line: how the command is called. */
export function usageLine(command: Command): string {
  const options = command.options.map(({ name, value, many }) => {
    const written = value === null ? dashed(name) : `${dashed(name)} ${value}`;
    return many === true ? `[${written}]…` : `[${written}]`;
  });
  return ['btfscope', command.name, ...command.positionals, ...options].join(' ');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const rows = command.options.map(({ name, value, about }): readonly [string, string] => [
    value === null ? dashed(name) : `${dashed(name)} ${value}`,
    about,
  ]);
  return [
    `usage: ${usageLine(command)}`,
    '',
    command.about,
    ...(rows.length === 0 ? [] : ['', ...columns(rows)]),
    '',
  ].join('\n');
}

/** The help of all commands. */
export function generalHelp(commands: readonly Command[]): string {
  return [
    'usage: btfscope COMMAND FILE …',
    '',
    'See what is inside a BPF object file: the same reading as the web app, as text.',
    'FILE is a BPF object, a raw BTF blob, a kernel or a module, also compressed;',
    'FILE(MEMBER) is a member of an archive.',
    '',
    ...columns(commands.map(({ name, about }) => [name, about.split('\n')[0] ?? ''])),
    '',
    'btfscope COMMAND --help tells the options of a command.',
    'Exit status: 0 done; 1 the file cannot be read; 2 the command line is wrong.',
    '',
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
