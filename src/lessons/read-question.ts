/**
 * Reads the question of a step: a fenced block with `ask`, the kind of question and its words.
 *
 *   ```ask click bytes=.BTF@0x4-0x8      ```ask access struct:s s[1].c[5]
 *   ```ask value core=tc@0x10 sample:kernel.btf      ```ask number 24
 *   with optional last lines `- 52 :: meaning of 52` and `- right :: why`
 *   ```ask count core
 *   ```ask choice      with the last lines `- [ ] text :: why` and `- [x] text :: why`
 *   ```ask write btf      ```ask write layout struct:s      ```ask write access struct:s s[1].c[5]
 *   with the lines `:: start`, `:: hint` and `:: right`, each followed by its text
 *
 * The other lines of the block are the question in Markdown.
 */
import type { Code } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { COUNTED } from './check-value.ts';
import type { LessonProblem, NumberHelp, Option, Question, WriteAsk } from './lesson.ts';
import { placeOf } from './lesson-text.ts';

const OPTION = /^- \[( |x)\] (.*)$/;
const NUMBER = /^-?(\d+|0x[0-9a-f]+)$/i;
const NUMBER_LINE = /^- (right|-?(?:\d+|0x[0-9a-f]+)) :: (.+)$/i;

/** Reads an `ask` block of a lesson in the language `lang`. Returns null if the block is wrong. */
export function readQuestion(node: Code, lang: string, problems: LessonProblem[]): Question | null {
  const [kind = '', ...words] = (node.meta ?? '').split(/\s+/);
  const question = questionOf(kind, words, node.value);
  if (typeof question !== 'string') {
    if (question.kind !== 'number' || lang === 'en') return question;
    // In another language the meaning is a whole sentence, because "52 is …" is English.
    const nearMisses = question.nearMisses.map((miss) => ({ ...miss, isSentence: true }));
    return { ...question, nearMisses };
  }
  problems.push({ message: question, ...placeOf(node) });
  return null;
}

/** Returns the question, or an error message if the block is wrong. */
function questionOf(kind: string, words: readonly string[], value: string): Question | string {
  const [first = '', ...rest] = words;
  const parts = kind === 'write' ? writeParts(value) : null;
  const prompt = parts === null ? withoutLines(value, LINES[kind]) : (parts.get('') ?? '');
  const head = { prompt: fromMarkdown(prompt).children };
  if (head.prompt.length === 0) return 'The question has no text';
  switch (kind) {
    case 'click':
      return first.includes('=') && rest.length === 0
        ? { kind, ...head, at: first }
        : 'ask click needs one place, such as bytes=.BTF@0x0-0x2';
    case 'access':
      return /^[a-z0-9]+:./.test(first) && rest.length > 0
        ? { kind, ...head, root: first, path: rest.join(' ') }
        : 'ask access needs a type and a path, such as struct:s s[1].c[5]';
    case 'value':
      return first.startsWith('core=') && rest.length === 1
        ? { kind, ...head, core: first, target: rest[0] ?? '' }
        : 'ask value needs a record and a file, such as core=tc@0x10 sample:kernel.btf';
    case 'number':
      return NUMBER.test(first) && rest.length === 0
        ? { kind, ...head, value: numberOf(first), ...numberHelp(prompt, value) }
        : 'ask number needs the number, such as 24 or 0x18';
    case 'count': {
      const of = COUNTED.find((word) => word === first);
      return of !== undefined && rest.length === 0
        ? { kind, ...head, of }
        : `ask count needs one of ${COUNTED.join(', ')}`;
    }
    case 'choice':
      return choice(head.prompt, value);
    case 'write': {
      const asks = writeAsk(first, rest);
      const [start, right] = [parts?.get('start') ?? '', parts?.get('right') ?? ''];
      if (asks === null) {
        return 'ask write needs btf, layout and a type, or access with a type and a path';
      }
      if (start.trim() === '' || right.trim() === '') {
        return 'ask write needs C after the lines :: start and :: right';
      }
      const hint = fromMarkdown(parts?.get('hint') ?? '').children;
      return { kind, ...head, asks, start, hint, right };
    }
    default:
      return `There is no question ${kind}; there are click, access, value, number, count, choice, write`;
  }
}

/** For each kind of question, matches the last lines of the block: its options or numbers. */
const LINES: Readonly<Partial<Record<string, RegExp>>> = { choice: OPTION, number: NUMBER_LINE };

function withoutLines(value: string, lines: RegExp | undefined): string {
  return value
    .split('\n')
    .filter((line) => lines === undefined || !lines.test(line))
    .join('\n');
}

const PART = /^:: (start|hint|right)\s*$/;

/** Returns the parts of an `ask write` block by name; the part named '' is the question. */
function writeParts(value: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let name = '';
  for (const line of value.split('\n')) {
    const [, next] = PART.exec(line) ?? [];
    if (next === undefined) parts.set(name, `${parts.get(name) ?? ''}${line}\n`);
    else name = next;
  }
  return parts;
}

function writeAsk(what: string, [root = '', ...path]: readonly string[]): WriteAsk | null {
  if (what === 'btf' && root === '') return { what };
  if (!/^[a-z0-9]+:./.test(root)) return null;
  if (what === 'layout' && path.length === 0) return { what, root };
  return what === 'access' && path.length > 0 ? { what, root, path: path.join(' ') } : null;
}

function numberHelp(prompt: string, value: string): NumberHelp {
  const lines = value.split('\n').flatMap((line): [string, string][] => {
    const [, number, text] = NUMBER_LINE.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [[number, text]];
  });
  const isRight = ([number]: readonly [string, string]) => /^right$/i.test(number);
  const wrongLines = lines.filter((line) => !isRight(line));
  const countsBits = /\bbits?\b/i.test(prompt);
  const countsBytes = /\bbytes?\b/i.test(prompt);
  return {
    unit: countsBits === countsBytes ? null : countsBits ? 'bit' : 'byte',
    why: lines.find(isRight)?.[1] ?? '',
    nearMisses: wrongLines.map(([number, means]) => ({ value: numberOf(number), means })),
  };
}

function choice(prompt: Question['prompt'], value: string): Question | string {
  const options = value.split('\n').flatMap((line): Option[] => {
    const [, mark, words] = OPTION.exec(line) ?? [];
    if (words === undefined) return [];
    const [text = '', why = ''] = words.split('::').map((part) => part.trim());
    return [{ text, isRight: mark === 'x', why }];
  });
  if (options.length < 2) return 'ask choice needs at least two options: - [ ] text :: why';
  if (options.filter(({ isRight }) => isRight).length !== 1) {
    return 'ask choice needs one right option: - [x] text :: why';
  }
  // Each option needs an explanation: "Wrong" alone does not help.
  const silent = options.find(({ why }) => why === '');
  if (silent !== undefined) return `Write after :: why "${silent.text}" is right or wrong`;
  return { kind: 'choice', prompt, options };
}

function numberOf(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}
