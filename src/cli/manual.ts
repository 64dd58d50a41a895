/** `btfscope man`: prints the help of all commands as a manual page. */
import {
  type Command,
  DESCRIPTION,
  type Listed,
  STATUSES,
  USAGES,
  usageLine,
  VERSION,
  written,
} from './command.ts';

/** Returns the command that prints the manual page of `commands`. */
export function manualOf(commands: ReadonlyMap<string, Listed>): Command {
  return {
    name: 'man',
    positionals: [],
    options: [],
    async run(call) {
      await call.writeLines(manual(commands));
    },
  };
}

/** Yields the manual page in roff with man(7) macros. It has no date: all builds are equal. */
async function* manual(commands: ReadonlyMap<string, Listed>): AsyncGenerator<string> {
  yield `.TH BTFSCOPE 1 "" "btfscope ${VERSION}" "User Commands"`;
  // Adjusted lines would have several spaces between the words of a usage.
  yield '.ad l';
  yield '.SH NAME';
  yield 'btfscope \\- inspect BPF object files, BTF and CO\\-RE relocations';
  yield '.SH SYNOPSIS';
  for (const usage of USAGES) yield* [roff(usage), '.br'];
  yield '.SH DESCRIPTION';
  yield* DESCRIPTION.map(roff);
  yield '.SH COMMANDS';
  for (const [name, { about, load }] of commands) {
    const command = await load();
    yield `.SS ${roff(name)}`;
    yield* ['.HP 4', roff(usageLine(command)), '.PP'];
    yield roff(about);
    const more = command.more ?? [];
    const isTable = more.some((line) => line.startsWith(' ') || line.includes('  '));
    if (isTable) yield* preformatted(more);
    else yield* more.map(roff);
    for (const option of command.options) {
      yield* ['.TP', `.B ${roff(written(option))}`, roff(option.about)];
    }
  }
  yield '.SH EXIT STATUS';
  for (const [status, about] of STATUSES) yield* ['.TP', `.B ${status}`, `${roff(about)}.`];
  yield '.SH SEE ALSO';
  yield '.BR bpftool (8),';
  yield '.BR pahole (1),';
  yield '.BR llvm\\-objdump (1),';
  yield '.BR llvm\\-readelf (1)';
}

/** Yields lines of roff that keep their line breaks. */
function* preformatted(texts: readonly string[]): Generator<string> {
  yield '.PP';
  yield '.nf';
  for (const text of texts) yield* text.split('\n').map(roff);
  yield '.fi';
}

/** Escapes text for roff: backslashes, minus signs, quotes and characters outside of ASCII. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '...')
    .replace(/[^\n -~]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
  // In roff, a line that begins with a dot is a request.
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}
