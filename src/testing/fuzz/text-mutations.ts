/** Mutations of text: C declarations, lessons and logs. */
import type { Random } from './random.ts';

const MAX_LENGTH = 20_000;

const WORDS: readonly string[] = [
  'struct',
  'union',
  'enum',
  'typedef',
  'const',
  'volatile',
  'int',
  'char',
  'unsigned',
  'long',
  '__int128',
  'void',
  'extern',
  'a',
  'b',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  ':',
  '*',
  '=',
  '...',
  '__attribute__((packed))',
  '__attribute__((aligned(64)))',
  'sizeof(',
  '#define',
  '/*',
  '*/',
  '//',
  '"',
  "'",
  '0',
  '-1',
  '0xffffffffffffffff',
  '99999999999999999999',
  '1 << 63',
  '\n',
  '\n\n',
  '---\n',
  '# ',
  '## ',
  '```',
  '```question\n',
  '- ',
  '> ',
  '| ',
  '[x](#/',
  '**',
  '<b>',
  '\u202e',
  '\0',
  '\ud800',
  '\u{1f41d}',
  'libbpf: ',
  'prog ',
  'relo #',
  '<byte_off>',
  ' [5] ',
  '0:1:2',
  'candidate #',
  'invalid',
  'failed',
  '-22',
  '%',
  '0:',
  ': R1=',
];

type Mutation = (text: string, random: Random, other: string) => string;

const MUTATIONS: readonly Mutation[] = [
  (text, random) => {
    const at = random.below(text.length + 1);
    return `${text.slice(0, at)} ${random.pick(WORDS)} ${text.slice(at)}`;
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(WORDS) + text.slice(at);
  },
  (text, random) => {
    const at = random.below(text.length);
    return text.slice(0, at) + text.slice(at + 1 + random.below(random.pick([1, 8, 200])));
  },
  (text, random) => {
    const at = random.below(text.length);
    const part = text.slice(at, at + 1 + random.below(80));
    const into = random.below(text.length + 1);
    return text.slice(0, into) + part + text.slice(into);
  },
  (text, random, other) => {
    const at = random.below(other.length);
    const into = random.below(text.length + 1);
    return text.slice(0, into) + other.slice(at, at + 1 + random.below(400)) + text.slice(into);
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    const repeated = random.pick(WORDS).repeat(1 + random.below(random.pick([4, 40, 3000])));
    return text.slice(0, at) + repeated + text.slice(at);
  },
  (text, random) => {
    const numbers = [...text.matchAll(/\d+/g)];
    if (numbers.length === 0) return text;
    const { index, 0: digits } = random.pick(numbers);
    const number = random.pick(['0', '1', '64', '65536', '4294967296', '-1', '1e9']);
    return text.slice(0, index) + number + text.slice(index + digits.length);
  },
  (text, random) => {
    const lines = text.split('\n');
    const from = random.below(lines.length);
    lines.splice(random.below(lines.length), random.below(2), lines[from] ?? '');
    return lines.join('\n');
  },
  (text, random) => text.slice(0, random.below(text.length)),
];

/**
 * Returns a mutation of `text`, at most as long as users type. Inserted parts come from `other`.
 */
export function mutateText(text: string, random: Random, other: string): string {
  return random.pick(MUTATIONS)(text, random, other).slice(0, MAX_LENGTH);
}
