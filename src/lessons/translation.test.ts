import { expect, it } from 'vitest';
import { readLesson } from './read-lesson.ts';
import { translatedKey } from './translation.ts';

const ORIGINAL = `---
title: First
about: A lesson.
object: sample:kinds.btf
---

## One

Text.

\`\`\`show
bytes?bytes=.BTF@0x0-0x2
\`\`\`

\`\`\`callout bytes=.BTF@0x0-0x2
the magic
\`\`\`

\`\`\`ask choice
Which?
- [ ] a :: no
- [x] b :: yes
\`\`\`

## Two

\`\`\`ask number 24
How many?
- 8 :: less
\`\`\`

## Three

\`\`\`ask write layout struct:s
Write it.
:: start
struct s;
:: hint
A hint.
:: right
struct s { int a; };
\`\`\`
`;

const GERMAN = `---
title: Erste
about: Eine Lektion.
lang: de
translates: first
---

## Eins {#one}

Text auf Deutsch.

\`\`\`callout
die Magie
\`\`\`

\`\`\`ask
Welches?
- A :: nein
- B :: ja
\`\`\`

## Zwei {#two}

\`\`\`ask
Wie viele?
- 8 :: Das ist weniger.
\`\`\`

## Drei {#three}

\`\`\`ask
Schreiben Sie es.
:: hint
Ein Hinweis.
\`\`\`
`;

const readTranslation = (text: string) => readLesson(text, readLesson(ORIGINAL).lesson);

it('has the words of the translation, and places and answers of the original', () => {
  expect(translatedKey(GERMAN)).toBe('first');
  expect(translatedKey(ORIGINAL)).toBeNull();
  const { lesson, problems } = readTranslation(GERMAN);
  expect(problems).toEqual([]);
  expect(lesson).toMatchObject({ title: 'Erste', lang: 'de', object: 'sample:kinds.btf' });
  const [one, two, three] = lesson?.steps ?? [];
  expect(one).toMatchObject({ id: 'one', title: 'Eins', show: 'bytes?bytes=.BTF@0x0-0x2' });
  expect(one?.callouts).toEqual([{ at: 'bytes=.BTF@0x0-0x2', text: 'die Magie' }]);
  expect(one?.question).toMatchObject({
    options: [
      { text: 'A', isRight: false, why: 'nein' },
      { text: 'B', isRight: true, why: 'ja' },
    ],
  });
  const nearMisses = [{ value: 8n, means: 'Das ist weniger.', isSentence: true }];
  expect(two?.question).toMatchObject({ kind: 'number', value: 24n, nearMisses });
  expect(three?.question).toMatchObject({
    start: 'struct s;\n',
    right: 'struct s { int a; };\n',
    asks: { what: 'layout', root: 'struct:s' },
  });
});

it('has the line numbers of the translation', () => {
  const { lesson, problems } = readTranslation(GERMAN);
  expect(problems).toEqual([]);
  const lineOf = (text: string) => GERMAN.split('\n').indexOf(text) + 1;
  expect(lesson?.steps.map(({ line }) => line)).toEqual([
    lineOf('## Eins {#one}'),
    lineOf('## Zwei {#two}'),
    lineOf('## Drei {#three}'),
  ]);
  const wrong = GERMAN.replace('Text auf Deutsch.', '<b>Text</b>').replace('- 8 ::', '- 9 ::');
  const { problems: differences } = readTranslation(wrong);
  expect(differences.map(({ line, message }) => [line, message])).toEqual([
    [lineOf('Text auf Deutsch.'), 'HTML is not shown; write Markdown'],
    [lineOf('Text auf Deutsch.'), 'HTML is not shown; write Markdown'],
    [lineOf('Wie viele?') - 1, 'The original has other numbers here'],
  ]);
  const open = readTranslation(GERMAN.trimEnd().slice(0, -3));
  expect(open.problems.map(({ line, message }) => [line, message])).toEqual([
    [lineOf('Schreiben Sie es.') - 1, 'The block has no second fence ```'],
  ]);
});

it.each([
  ['{#two}', '{#second}', 'The original has no step {#second}'],
  ['{#two}', '{#second}', 'The step {#two} is not translated'],
  ['- A :: nein\n', '', 'The original has other options here'],
  ['- 8 ::', '- 9 ::', 'The original has other numbers here'],
  [':: hint\nEin Hinweis.\n', '', 'The original has other parts here'],
  ['```callout\ndie Magie\n```\n', '', 'Callouts: 1 in the original, 0 here'],
  [
    '```callout\n',
    '```show\nbytes\n```\n\n```callout\n',
    'A translation shows what the original shows: leave show out',
  ],
  [
    '## Zwei {#two}',
    '## Drei {#three}\n\n## Zwei {#two}',
    'The steps have another order than in the original',
  ],
])('has a problem for %j changed to %j', (from, to, message) => {
  const { problems } = readTranslation(GERMAN.replace(from, to));
  expect(problems.map((problem) => problem.message)).toContain(message);
});
