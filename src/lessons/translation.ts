/** Combines a translation with its original. Steps are paired by id, parts of a step by order. */
import type { Code, Heading } from 'mdast';
import type { LessonProblem, Question, Step } from './lesson.ts';
import { placeOf } from './lesson-text.ts';

/** Returns the key of the original lesson; null if the text is not a translation. */
export function translatedKey(text: string): string | null {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\s*$/m.exec(text) ?? [];
  return /^translates:[ \t]*(\S+)/m.exec(head)?.[1] ?? null;
}

/** A step of a translation, which has only words. */
export type StepWords = {
  readonly heading: Heading;
  /** Id in the heading of the step: `{#the-title}`. */
  readonly name: string | null;
  /** The step of the original lesson with this id; null if there is none. */
  readonly source: Step | null;
  /** Blocks of the kinds `show`, `callout`, `ask` and `notes`. */
  readonly blocks: Code[];
};

/** Returns a block with the original's places and answers, or null. `blocks` precede `node`. */
export function completeBlock(
  node: Code,
  { source, blocks }: StepWords,
  problems: LessonProblem[],
): Code | null {
  const report = (message: string) => problems.push({ message, ...placeOf(node) });
  switch (node.lang) {
    case 'show':
      report('A translation shows what the original shows: leave show out');
      return null;
    case 'callout': {
      const at = source?.callouts[countOf(blocks, 'callout')]?.at;
      return at === undefined ? null : { ...node, meta: at };
    }
    case 'ask': {
      const question = source?.question ?? null;
      if (question === null) return null;
      const differ = (parts: string) => report(`The original has other ${parts} here`);
      const value = completeWords(question, node.value, differ);
      return { ...node, meta: [question.kind, ...askedFor(question)].join(' '), value };
    }
    default:
      return node;
  }
}

function countOf(blocks: readonly Code[], lang: string): number {
  return blocks.filter((block) => block.lang === lang).length;
}

/** Returns the words that follow the kind of question in an `ask` block. */
function askedFor(question: Question): readonly string[] {
  switch (question.kind) {
    case 'click':
      return [question.at];
    case 'access':
      return [question.root, question.path];
    case 'value':
      return [question.core, question.target];
    case 'number':
      return [`${question.value}`];
    case 'count':
      return [question.of];
    case 'choice':
      return [];
    case 'write':
      return Object.values(question.asks);
  }
}

/** Returns the translated lines of a question, completed with the original's options or C. */
function completeWords(question: Question, value: string, differ: (parts: string) => void): string {
  switch (question.kind) {
    case 'choice': {
      const marks = question.options.map(({ isRight }) => (isRight ? '- [x] ' : '- [ ] '));
      let options = 0;
      const marked = value.replaceAll(/^- (?:\[[ x]\] )?/gm, () => marks[options++] ?? '- [ ] ');
      if (options !== marks.length) differ('options');
      return marked;
    }
    case 'number': {
      const lines = [...value.matchAll(/^- (right|-?\w+) :: /gm)].map(([, number = '']) => number);
      const numbers = lines.filter((number) => number !== 'right').map(Number);
      const isExplained = lines.includes('right');
      const originals = question.nearMisses.map((miss) => Number(miss.value));
      if (`${numbers}` !== `${originals}` || isExplained !== (question.why !== ''))
        differ('numbers');
      return value;
    }
    case 'write':
      if (/^:: hint\s*$/m.test(value) !== question.hint.length > 0) differ('parts');
      return `${value}\n:: start\n${question.start}:: right\n${question.right.replace(/\n$/, '')}`;
    default:
      return value;
  }
}

/** Returns the differences in steps between a lesson and its translation, as problems. */
export function stepDifferences(
  original: readonly Step[],
  translated: readonly StepWords[],
): LessonProblem[] {
  const ids = original.map(({ id }) => id);
  const names = translated.map(({ name }) => name);
  const missing = ids.filter((id) => !names.includes(id));
  const inOrder = ids.filter((id) => names.includes(id)).join();
  const isOrdered = inOrder === names.filter((name) => ids.includes(name ?? '')).join();
  const messages = [
    ...missing.map((id) => `The step {#${id}} is not translated`),
    ...(isOrdered ? [] : ['The steps have another order than in the original']),
  ];
  return [
    ...messages.map((message) => ({ message, line: 1, column: 1 })),
    ...translated.flatMap(countDifferences),
  ];
}

function countDifferences({ heading, source, blocks }: StepWords): LessonProblem[] {
  if (source === null) return [];
  const counts = [
    ['Callouts', source.callouts.length, countOf(blocks, 'callout')],
    ['Questions', source.question === null ? 0 : 1, countOf(blocks, 'ask')],
  ] as const;
  return counts
    .filter(([, expected, count]) => count !== expected)
    .map(([name, expected, count]) => ({
      message: `${name}: ${expected} in the original, ${count} here`,
      ...placeOf(heading),
    }));
}
