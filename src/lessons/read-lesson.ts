/**
 * Reads a lesson from Markdown: front matter, then a step for each heading of the second level.
 * Fenced blocks `show`, `callout`, `ask` and `notes` are parts of the step, all other Markdown is
 * its text. docs/lessons.md describes the format for authors.
 *
 * Reads any text without an exception: each error becomes a problem with line and column.
 */

import type { Code, Heading, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as plainText } from 'mdast-util-to-string';
import { append } from '#bytes/arrays.ts';
import { readFrontMatter } from './front-matter.ts';
import {
  type Callout,
  type Lesson,
  type LessonProblem,
  MAX_STEPS,
  type Question,
  type Step,
} from './lesson.ts';
import { placeOf, textProblems } from './lesson-text.ts';
import { readQuestion } from './read-question.ts';
import { completeBlock, type StepWords, stepDifferences } from './translation.ts';

/** Maximum length of a lesson in characters. A link can contain a hostile lesson. */
export const MAX_LESSON = 50_000;
const MAX_LINES = 800;
/** Maximum depth of lists and quotes, summed over all lines of a lesson. */
const MAX_NESTED = 250;
const MAX_LINE_START = 64;
/** Maximum of (marks × characters), over all paragraphs. The page's lessons have at most 500,000. */
const MAX_MARKS = 2_500_000;
/** Time to parse a mark, expressed as a number of characters. */
const MARK_LENGTH = 600;

/** Matches a step's heading: its title, and its id `{#id}` if it has one. */
const HEADING = /^(.*?)(?:\s*\{#([\p{L}\p{N}-]+)\})?$/su;

const BLOCKS = ['show', 'callout', 'ask', 'notes'];

/** Reads a lesson, or the translation of `original`. The lesson is null if the text has no step. */
export function readLesson(
  text: string,
  original: Lesson | null = null,
): {
  readonly lesson: Lesson | null;
  readonly problems: readonly LessonProblem[];
} {
  const problems: LessonProblem[] = [];
  const refusal = markdownProblem(text);
  if (refusal !== null) return { lesson: null, problems: [refusal] };
  const { values, rest } = readFrontMatter(text, original !== null, problems);
  const object = original?.object ?? objectOf(values.get('object'), problems);
  const number = original?.number ?? numberOf(values.get('number'), problems);
  const lang = langOf(values.get('lang'), problems);
  const lines = rest.split(/\r\n?|\n/);
  const steps = readSteps(fromMarkdown(rest).children, { lines, lang, original }, problems);
  if (steps.length === 0) {
    problems.push({ message: 'A step begins with a heading: ## Title', line: 1, column: 1 });
    return { lesson: null, problems };
  }
  const textOf = (key: string) => values.get(key)?.text ?? '';
  return {
    lesson: {
      title: textOf('title'),
      about: textOf('about'),
      object,
      number,
      lang,
      steps,
    },
    problems: original === null ? problems : problems.toSorted((a, b) => a.line - b.line),
  };
}

/** Matches the spaces and the marks of lists and quotes at the start of a line. */
const LINE_START = /^(?:[ \t]|[-*+>]|\d{1,9}[.)])*/;
const LIST_OR_QUOTE = />|[-*+](?=\s|$)|\d{1,9}[.)]/g;
const INLINE_MARKS = /[*_[\]`<&!\\]/g;

/** Returns a problem if nested lists, quotes or marks would make the parser too slow; else null. */
function markdownProblem(text: string): LessonProblem | null {
  const tooLong = `A lesson has at most ${MAX_LESSON} characters and ${MAX_LINES} lines`;
  if (text.length > MAX_LESSON) return { message: tooLong, line: 1, column: 1 };
  const lines = text.split(/\r\n?|\n/);
  if (lines.length > MAX_LINES) return { message: tooLong, line: MAX_LINES, column: 1 };
  let nested = 0;
  let marks = 0;
  let paragraph = { marks: 0, length: MARK_LENGTH };
  for (const [index, line] of lines.entries()) {
    const [start = ''] = LINE_START.exec(line) ?? [];
    const isOuterList = /^ ?[-*+\d]/.test(start);
    nested += (start.match(LIST_OR_QUOTE)?.length ?? 0) - (isOuterList ? 1 : 0);
    if (line.trim() === '') paragraph = { marks: 0, length: MARK_LENGTH };
    marks -= paragraph.marks * paragraph.length;
    paragraph.marks += line.match(INLINE_MARKS)?.length ?? 0;
    paragraph.length += line.length;
    marks += paragraph.marks * paragraph.length;
    if (nested > MAX_NESTED || (start.length > MAX_LINE_START && start.length < line.length)) {
      return { message: 'Lists and quotes are nested too deeply', line: index + 1, column: 1 };
    }
    if (marks > MAX_MARKS) {
      return { message: 'The text has too many marks', line: index + 1, column: 1 };
    }
  }
  return null;
}

type Value = { readonly text: string; readonly line: number } | undefined;

function objectOf(value: Value, problems: LessonProblem[]): string {
  const text = value?.text ?? '';
  if (text !== '' && !/^(((sample|btf\d+|bytes\d+|c\d+):.+)|[0-9a-f]{64}|link|own)$/.test(text)) {
    problems.push({
      message: 'object is sample:NAME, the SHA-256 of a file, link or own',
      line: value?.line ?? 1,
      column: 1,
    });
  }
  return text;
}

function numberOf(value: Value, problems: LessonProblem[]): number | null {
  if (value === undefined) return null;
  if (/^\d{1,4}$/.test(value.text)) return Number(value.text);
  problems.push({ message: 'number is a whole number', line: value.line, column: 1 });
  return null;
}

function langOf(value: Value, problems: LessonProblem[]): string {
  if (value === undefined) return 'en';
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(value.text)) return value.text;
  problems.push({ message: 'lang is a code such as de or pt-BR', line: value.line, column: 1 });
  return 'en';
}

/** A step that is being read. */
type Draft = StepWords & {
  readonly title: string;
  readonly text: RootContent[];
  readonly callouts: Callout[];
  show: string | null;
  question: Question | null;
  notes: readonly RootContent[] | null;
};

type Context = {
  readonly lines: readonly string[];
  readonly lang: string;
  /** The translated lesson; null if this lesson is not a translation. */
  readonly original: Lesson | null;
};

function readSteps(
  nodes: readonly RootContent[],
  { lines, lang, original }: Context,
  problems: LessonProblem[],
): Step[] {
  const drafts: Draft[] = [];
  let draft: Draft | null = null;
  for (const node of nodes) {
    const fence = node.type === 'code' ? fenceProblem(node, lines) : null;
    if (fence !== null) problems.push({ message: fence, ...placeOf(node) });
    if (node.type === 'heading' && node.depth === 2) {
      if (drafts.length >= MAX_STEPS) {
        problems.push({ message: `A lesson has at most ${MAX_STEPS} steps`, ...placeOf(node) });
        break;
      }
      draft = newDraft(node, original, problems);
      drafts.push(draft);
    } else if (draft === null) {
      problems.push({ message: 'This is before the first step', ...placeOf(node) });
    } else if (node.type === 'code' && BLOCKS.includes(node.lang ?? '')) {
      const block = original === null ? node : completeBlock(node, draft, problems);
      if (block !== null) readBlock(draft, block, lang, problems);
      draft.blocks.push(node);
    } else {
      append(problems, textProblems([node]));
      draft.text.push(node);
    }
  }
  if (original !== null) append(problems, stepDifferences(original.steps, drafts));
  const ids = new Set<string>();
  return drafts.flatMap(({ heading, title, name, source, blocks: _, ...step }) => {
    if (title === '') problems.push({ message: 'The step has no title', ...placeOf(heading) });
    if (original !== null && source === null) return [];
    const show = source === null ? step.show : source.show;
    return [{ ...step, show, id: idOf(name ?? title, ids), title, line: placeOf(heading).line }];
  });
}

function newDraft(heading: Heading, original: Lesson | null, problems: LessonProblem[]): Draft {
  const [, title = '', name = null] = HEADING.exec(plainText(heading)) ?? [];
  const source = original?.steps.find(({ id }) => id === name) ?? null;
  if (original !== null && source === null) {
    const message = `The original has no step {#${name ?? ''}}`;
    problems.push({ message, ...placeOf(heading) });
  }
  const parts = { text: [], callouts: [], show: null, question: null, notes: null };
  return { heading, title, name, source, blocks: [], ...parts };
}

/** Returns a mistake in a block's fences (no closing fence, or a misspelt first word), or null. */
function fenceProblem({ lang, meta, position }: Code, lines: readonly string[]): string | null {
  const { start, end } = position ?? {};
  const first = lines[(start?.line ?? 0) - 1]?.trimStart() ?? '';
  const last = lines[(end?.line ?? 0) - 1]?.trim() ?? '';
  const isFenced = /^(`{3}|~{3})/.test(first);
  if (isFenced && (start?.line === end?.line || !/^(`{3,}|~{3,})$/.test(last))) {
    return `The block has no second fence ${first.slice(0, 3)}`;
  }
  const word = lang ?? '';
  // `asm` alone is a language. With a word after it, it is a misspelt `ask`.
  const isLong = word.length > 3 || (meta ?? '') !== '';
  const meant = BLOCKS.find((block) => block !== word && isLong && isNear(block, word));
  return meant === undefined || BLOCKS.includes(word)
    ? null
    : `There is no block ${word}; did you mean ${meant}?`;
}

/** Returns true if the words differ in one letter or in the order of two letters. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  if ([...a].toSorted().join('') === [...b].toSorted().join('')) return true;
  const without = (word: string) => [...word].map((_, i) => word.slice(0, i) + word.slice(i + 1));
  if (a.length !== b.length)
    return without(a.length > b.length ? a : b).some((w) => w === a || w === b);
  const cut = without(b);
  return without(a).some((word, i) => word === cut[i]);
}

function readBlock(draft: Draft, node: Code, lang: string, problems: LessonProblem[]): void {
  const at = placeOf(node);
  const text = node.value.trim();
  const isFirst = (known: unknown) => {
    if (known === null) return true;
    problems.push({ message: `A step has one block ${node.lang}`, ...at });
    return false;
  };
  switch (node.lang) {
    case 'show':
      if (isFirst(draft.show)) draft.show = showOf(text, at, problems);
      break;
    case 'callout':
      if ((node.meta ?? '') === '' || text === '') {
        problems.push({ message: 'A callout is ```callout PLACE and a text', ...at });
      } else draft.callouts.push({ at: node.meta ?? '', text });
      break;
    case 'ask':
      if (!isFirst(draft.question)) break;
      draft.question = readQuestion(node, lang, problems);
      append(problems, textProblems(draft.question?.prompt ?? [], at.line));
      if (draft.question?.kind === 'write') {
        append(problems, textProblems(draft.question.hint, at.line));
      }
      break;
    default: {
      if (!isFirst(draft.notes)) break;
      draft.notes = fromMarkdown(node.value).children;
      append(problems, textProblems(draft.notes, at.line));
    }
  }
}

/** Reads the address in a `show` block; it may begin with `#/`. */
function showOf(
  text: string,
  at: ReturnType<typeof placeOf>,
  problems: LessonProblem[],
): string | null {
  const show = text.replace(/^#?\/?/, '');
  if (/^[a-z]+(\?\S*)?$/.test(show)) return show;
  problems.push({ message: 'show is one address, such as types?type=struct:foo', ...at });
  return null;
}

/** Returns an id of the title's letters and digits. A number makes it unique among `taken`. */
function idOf(title: string, taken: Set<string>): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  const base = words === '' ? 'step' : words;
  let id = base;
  for (let i = 2; taken.has(id); i++) id = `${base}-${i}`;
  taken.add(id);
  return id;
}
