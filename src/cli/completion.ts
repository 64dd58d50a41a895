/** `btfscope completion`: prints completions of commands, options and values for three shells. */
import { visible } from '#bytes/text.ts';
import {
  type Command,
  choicesOf,
  isPath,
  type Listed,
  type OptionSpec,
  spelled,
  UsageError,
} from './command.ts';

type Named = { readonly name: string; readonly about: string; readonly command: Command };

const SHELLS: ReadonlyMap<string, (commands: readonly Named[]) => Iterable<string>> = new Map([
  ['bash', bashLines],
  ['zsh', zshLines],
  ['fish', fishLines],
]);

/** Returns the command that prints a shell's completions of `commands`. */
export function completionOf(commands: ReadonlyMap<string, Listed>): Command {
  return {
    name: 'completion',
    positionals: [[...SHELLS.keys()].join('|')],
    options: [],
    more: [
      'bash: source <(btfscope completion bash)',
      'zsh:  source <(btfscope completion zsh), after compinit',
      'fish: btfscope completion fish | source',
    ],
    async run(call) {
      const shell = call.positional(0);
      const linesOf = SHELLS.get(shell);
      if (linesOf === undefined) throw new UsageError(`unknown shell "${visible(shell)}"`);
      const named: Named[] = [];
      for (const [name, { about, load }] of commands) {
        named.push({ name, about, command: await load() });
      }
      await call.writeLines(linesOf(named));
    },
  };
}

const HEADER = (shell: string) =>
  `# Completions of btfscope for ${shell}, as "btfscope completion ${shell}" prints them.`;

/** Returns every spelling of an option: `-S`, `--sections`. */
function spellings(option: OptionSpec): readonly string[] {
  const { short, long } = spelled(option);
  return [...(short === null ? [] : [`-${short}`]), ...(long === null ? [] : [`--${long}`])];
}

/** Returns the valid values of a command's first argument; for `help`, the command names. */
function firstChoices(commands: readonly Named[]): readonly (readonly [string, string])[] {
  const choices = commands.flatMap(({ name, command }) => {
    const values = choicesOf(command.positionals[0] ?? '');
    return values === null ? [] : [[name, values.join(' ')] as const];
  });
  return [...choices, ['help', commands.map(({ name }) => name).join(' ')]];
}

/** Yields the completion function for bash. Words without listed values complete as paths. */
function* bashLines(commands: readonly Named[]): Generator<string> {
  yield HEADER('bash');
  const names = commands.map(({ name }) => name).join(' ');
  // bash treats the "=" between an option and its value as a separate word.
  yield `_btfscope() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then words='${names} help --help'
  else case "\${COMP_WORDS[1]} $prev" in`;
  for (const { name, command } of commands) {
    for (const option of command.options) {
      const values = option.value === null ? null : (choicesOf(option.value) ?? []);
      if (values === null) continue;
      const patterns = spellings(option).map((spelling) => `'${name} ${spelling}'`);
      yield `    ${patterns.join('|')}) words='${values.join(' ')}' ;;`;
    }
  }
  yield `    *) case "$COMP_CWORD \${COMP_WORDS[1]} $cur" in`;
  for (const { name, command } of commands) {
    const options = [...command.options.flatMap(spellings), '--help'];
    yield `      *" ${name} -"*) words='${options.join(' ')}' ;;`;
  }
  for (const [name, values] of firstChoices(commands)) {
    yield `      "2 ${name} "*) words='${values}' ;;`;
  }
  yield '    esac ;;';
  yield '  esac; fi';
  yield '  COMPREPLY=($(compgen -W "$words" -- "$cur"))';
  yield '}';
  yield 'complete -o bashdefault -o default -F _btfscope btfscope';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the action for `_arguments`, the function of zsh that completes an argument. */
function zshAction(value: string): string {
  const choices = choicesOf(value);
  if (choices !== null) return `(${choices.join(' ')})`;
  return isPath(value) ? '_files' : ' ';
}

/** Escapes colons and brackets, which have a meaning in an argument of `_arguments`. */
function zshText(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}

function zshOption(option: OptionSpec): readonly string[] {
  const { value, many, about } = option;
  const all = spellings(option);
  const others = many === true ? '*' : all.length > 1 ? `(${all.join(' ')})` : '';
  const rest = value === null ? '' : `:${zshText(value)}:${zshAction(value)}`;
  return all.map((one) => {
    const sign = value !== null && one.startsWith('--') ? '=' : '';
    return quoted(`${others}${one}${sign}[${zshText(about)}]${rest}`);
  });
}

function* zshLines(commands: readonly Named[]): Generator<string> {
  yield '#compdef btfscope';
  yield HEADER('zsh');
  yield '_btfscope() {';
  yield '  local -a commands';
  yield '  commands=(';
  for (const { name, about } of commands) yield `    ${quoted(`${name}:${zshText(about)}`)}`;
  yield '  )';
  yield '  if ((CURRENT == 2)); then';
  yield '    _describe -t commands command commands';
  yield '    _files';
  yield '    return';
  yield '  fi';
  yield '  local command=$words[2]';
  yield '  shift words';
  yield '  ((CURRENT--))';
  yield '  case $command in';
  for (const { name, command } of commands) {
    const positionals = command.positionals.map((positional, i) => {
      const at = positional.endsWith('…') ? '*' : `${i + 1}`;
      return quoted(`${at}:${zshText(positional)}:${zshAction(positional)}`);
    });
    const parts = [
      ...command.options.flatMap(zshOption),
      "'--help[print the help]'",
      ...positionals,
    ];
    yield `    ${name}) _arguments ${parts.join(' ')} ;;`;
  }
  yield '    help) _describe -t commands command commands ;;';
  yield '  esac';
  yield '}';
  // If zsh runs this file as the function, because it is in $fpath, complete at once. Otherwise
  // register the function.
  yield 'if [[ $funcstack[1] == _btfscope ]]; then _btfscope "$@"; else compdef _btfscope btfscope; fi';
}

function* fishLines(commands: readonly Named[]): Generator<string> {
  yield HEADER('fish');
  yield 'function __btfscope_words';
  yield '  set -l words (commandline -opc)';
  yield '  count $words[2..]';
  yield 'end';
  yield 'function __btfscope_is';
  yield '  set -l words (commandline -opc)';
  yield '  set -q words[2]; and test $words[2] = $argv[1]';
  yield 'end';
  const none = "-n 'test (__btfscope_words) -eq 0'";
  for (const { name, about } of commands) {
    yield `complete -c btfscope ${none} -a ${name} -d ${quoted(about)}`;
  }
  for (const [name, values] of firstChoices(commands)) {
    const first = `-n '__btfscope_is ${name}; and test (__btfscope_words) -eq 1'`;
    yield `complete -c btfscope ${first} -f -a '${values}'`;
  }
  for (const { name, command } of commands) {
    for (const { value, about, ...option } of command.options) {
      const { short, long } = spelled({ value, about, ...option });
      const spelling = `${short === null ? '' : ` -s ${short}`}${long === null ? '' : ` -l ${long}`}`;
      const choices = value === null ? null : choicesOf(value);
      const argument =
        value === null
          ? ''
          : choices !== null
            ? ` -x -a '${choices.join(' ')}'`
            : isPath(value)
              ? ' -r -F'
              : ' -x';
      yield `complete -c btfscope -n '__btfscope_is ${name}'${spelling}${argument} -d ${quoted(about)}`;
    }
  }
}
