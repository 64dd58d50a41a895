/**
 * A translation of a lesson: its words are its own; places, answers and what is shown are those of the
 * original. Steps are paired by their ids, `## Der Titel {#the-title}`, callouts, options and numbers by
 * their order. What comes out is a whole lesson, which is read like any other.
 */
import { append } from '#bytes/append.ts';
import type { Lesson, LessonProblem } from './lesson.ts';
import { readLesson } from './read-lesson.ts';

/** A line, or a block between fences. */
type Part = { readonly line: number } & (
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly meta: string;
      readonly lines: string[];
    }
);

type StepText = { readonly heading: string; readonly line: number; readonly parts: Part[] };

const OPTION = /^- (?:\[[ x]\] )?(.*)$/;
const NUMBER = /^- (right|-?\w+) :: /;

/** The key of the lesson that a text translates; null where it translates none. */
export function translatedKey(text: string): string | null {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\s*$/m.exec(text) ?? [];
  return /^translates:[ \t]*(\S+)/m.exec(head)?.[1] ?? null;
}

/** A line of the whole lesson, and the line of the translation that it comes from or stands for. */
type Line = { readonly text: string; readonly line: number };

/**
 * The Markdown of the whole lesson in the language of `translation`, and where the two differ: at
 * lines of the translation.
 */
export function translateLesson(
  original: string,
  translation: string,
): { readonly text: string; readonly problems: readonly LessonProblem[] } {
  const { lines, problems } = wholeLesson(original, translation);
  return { text: textOf(lines), problems };
}

/** Reads a translation with what it shares with its original. All lines are those of the translation. */
export function readTranslation(
  original: string,
  translation: string,
): { readonly lesson: Lesson | null; readonly problems: readonly LessonProblem[] } {
  const { lines, problems } = wholeLesson(original, translation);
  const read = readLesson(textOf(lines));
  const lineOf = (line: number) => lines[line - 1]?.line ?? 1;
  const lesson =
    read.lesson === null
      ? null
      : {
          ...read.lesson,
          steps: read.lesson.steps.map((step) => ({ ...step, line: lineOf(step.line) })),
        };
  const faults = read.problems.map((problem) => ({ ...problem, line: lineOf(problem.line) }));
  return {
    lesson,
    problems: [...problems, ...faults].toSorted((one, other) => one.line - other.line),
  };
}

function textOf(lines: readonly Line[]): string {
  return `${lines.map(({ text }) => text).join('\n')}\n`;
}

function wholeLesson(
  original: string,
  translation: string,
): { readonly lines: readonly Line[]; readonly problems: readonly LessonProblem[] } {
  const problems: LessonProblem[] = [];
  const say = (line: number, message: string) => problems.push({ message, line, column: 1 });
  const ids = (readLesson(original).lesson?.steps ?? []).map(({ id }) => id);
  const from = new Map(stepsOf(original).map((step, i) => [ids[i] ?? '', step]));
  const steps = stepsOf(translation, say);
  const out = headOf(original, translation);
  const found: string[] = [];
  for (const step of steps) {
    const [, id = ''] = /\{#(\S+)\}\s*$/.exec(step.heading) ?? [];
    const source = from.get(id);
    found.push(id);
    if (source === undefined) say(step.line, `The original has no step {#${id}}`);
    else {
      out.push({ text: '', line: step.line }, { text: step.heading, line: step.line });
      append(out, translated(source, step, say));
    }
  }
  for (const id of ids) if (!found.includes(id)) say(1, `The step {#${id}} is not translated`);
  const inOrder = ids.filter((id) => found.includes(id)).join();
  if (inOrder !== found.filter((id) => from.has(id)).join())
    say(1, 'The steps have another order than in the original');
  return { lines: out, problems };
}

function headOf(original: string, translation: string): Line[] {
  const lines = (text: string) => (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '').split('\n');
  const own = lines(translation).flatMap((text, i) =>
    /^(title|about|lang):/.test(text) ? [{ text, line: i + 2 }] : [],
  );
  const shared = lines(original).filter((line) => /^(object|number):/.test(line));
  const ofNone = (text: string): Line => ({ text, line: 1 });
  return [ofNone('---'), ...own, ...shared.map(ofNone), ofNone('---')];
}

/** The steps of a text by its headings and fences. `say` is told of a block without its second fence. */
function stepsOf(text: string, say: Say | null = null): StepText[] {
  const steps: StepText[] = [];
  let block: Extract<Part, { kind: 'block' }> | null = null;
  let fence = '';
  for (const [i, line] of text.split('\n').entries()) {
    const at = i + 1;
    const parts = steps.at(-1)?.parts;
    const [, marks = '', name = '', meta = ''] = /^(`{3,}|~{3,})(\w*)\s*(.*)$/.exec(line) ?? [];
    if (block !== null) {
      if (line.trim() === fence) block = null;
      else block.lines.push(line);
    } else if (marks !== '') {
      fence = marks;
      block = { kind: 'block', name, meta, lines: [], line: at };
      parts?.push(block);
    } else if (line.startsWith('## ')) steps.push({ heading: line, line: at, parts: [] });
    else parts?.push({ kind: 'line', text: line, line: at });
  }
  if (block !== null) say?.(block.line, `The block has no second fence ${fence.slice(0, 3)}`);
  return steps;
}

type Say = (line: number, message: string) => void;

/** The lines of a step behind its heading. */
function translated(source: StepText, step: StepText, say: Say): Line[] {
  const callouts = blocksOf(source, 'callout');
  const asks = blocksOf(source, 'ask');
  const own = { callout: blocksOf(step, 'callout').length, ask: blocksOf(step, 'ask').length };
  if (own.callout !== callouts.length)
    say(step.line, `Callouts: ${callouts.length} in the original, ${own.callout} here`);
  if (own.ask !== asks.length)
    say(step.line, `Questions: ${asks.length} in the original, ${own.ask} here`);
  let seen = 0;
  const lines = step.parts.flatMap((part): Line[] => {
    if (part.kind === 'line') return [part];
    switch (part.name) {
      case 'show':
        say(part.line, 'A translation shows what the original shows: leave show out');
        return [];
      case 'callout': {
        const at = callouts[seen++];
        return at === undefined ? [] : fenced('callout', at.meta, part.lines, part);
      }
      case 'ask': {
        const [asked] = asks;
        if (asked === undefined) return [];
        const lines = questionLines(asked.lines, asked.meta, part, say);
        return fenced('ask', asked.meta, lines, part);
      }
      default:
        return fenced(part.name, part.meta, part.lines, part);
    }
  });
  const shown = blocksOf(source, 'show').flatMap((block) =>
    fenced('show', '', block.lines, { line: step.line, lines: [] }),
  );
  return [...lines, ...shown];
}

function blocksOf({ parts }: StepText, name: string) {
  return parts.flatMap((part) => (part.kind === 'block' && part.name === name ? [part] : []));
}

/** The lines of a question: words of the translation, marks and C of the original. */
function questionLines(
  original: readonly string[],
  meta: string,
  { lines, line }: { readonly lines: readonly string[]; readonly line: number },
  say: Say,
): string[] {
  const differ = (what: string) => say(line, `The original has other ${what} here`);
  if (meta.startsWith('choice')) {
    const marks = original.flatMap((text) => /^- \[[ x]\]/.exec(text)?.[0] ?? []);
    const options = lines.filter((text) => OPTION.test(text));
    if (options.length !== marks.length) differ('options');
    let seen = 0;
    return lines.map((text) => {
      const [, words] = OPTION.exec(text) ?? [];
      return words === undefined ? text : `${marks[seen++] ?? '- [ ]'} ${words}`;
    });
  }
  if (meta.startsWith('write')) {
    const start = original.findIndex((text) => text.trim() === ':: start');
    const right = original.findIndex((text) => text.trim() === ':: right');
    const hint = original.findIndex((text) => text.trim() === ':: hint');
    const hinted = lines.some((text) => text.trim() === ':: hint');
    if (hinted !== hint >= 0) differ('parts');
    const startEnd = hint >= 0 ? hint : right;
    return [...lines, ...original.slice(right), ...original.slice(start, startEnd)];
  }
  const numbers = (texts: readonly string[]) =>
    texts.flatMap((text) => NUMBER.exec(text)?.[1] ?? []).join();
  if (numbers(lines) !== numbers(original)) differ('numbers');
  return [...lines];
}

/** The block that stands for `from`, a block of the translation: what that has not has its last line. */
function fenced(
  name: string,
  meta: string,
  lines: readonly string[],
  from: { readonly line: number; readonly lines: readonly string[] },
): Line[] {
  const longest =
    lines
      .map((text) => /^`*/.exec(text)?.[0] ?? '')
      .toSorted()
      .at(-1) ?? '';
  const marks = longest.length < 3 ? '```' : `${longest}\``;
  const whole = [`${marks}${name}${meta === '' ? '' : ` ${meta}`}`, ...lines, marks, ''];
  return whole.map((text, i) => ({ text, line: from.line + Math.min(i, from.lines.length) }));
}
