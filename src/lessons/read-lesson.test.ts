import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LESSON, readLesson } from './read-lesson.ts';

const HEAD = '---\ntitle: T\nabout: A.\nobject: sample:kinds.btf\n---\n';

function problemsOf(text: string): string[] {
  return readLesson(text).problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
}

describe('readLesson', () => {
  it('reads all parts of a step', () => {
    const { lesson, problems } = readLesson(`${HEAD}
## The magic

Two bytes say what this is.

\`\`\`show
#/bytes?bytes=@0x0-0x2
\`\`\`

\`\`\`callout bytes=@0x0-0x2
0xeb9f
\`\`\`

\`\`\`notes
Wait for them to find it.
\`\`\`

\`\`\`ask click bytes=@0x2-0x3
Click the byte that holds \`version\`.
\`\`\`

## The magic

Again.
`);
    expect(problems).toEqual([]);
    expect(lesson).toMatchObject({
      title: 'T',
      about: 'A.',
      object: 'sample:kinds.btf',
      number: null,
    });
    const [first, second] = lesson?.steps ?? [];
    expect(first).toMatchObject({
      id: 'the-magic',
      title: 'The magic',
      line: 7,
      show: 'bytes?bytes=@0x0-0x2',
      callouts: [{ at: 'bytes=@0x0-0x2', text: '0xeb9f' }],
      question: { kind: 'click', at: 'bytes=@0x2-0x3' },
    });
    expect(first?.text).toHaveLength(1);
    expect(first?.notes).toHaveLength(1);
    expect(second).toMatchObject({ id: 'the-magic-2', show: null, question: null, notes: null });
  });

  it('reads code blocks of other languages as text', () => {
    for (const lang of ['', 'c', 'asm', 'sh', 'text']) {
      expect(problemsOf(`${HEAD}## S\n\`\`\`${lang}\nx\n\`\`\`\n`)).toEqual([]);
    }
  });

  it('reads each kind of question', () => {
    const ask = (meta: string, body = 'Q') =>
      readLesson(`${HEAD}## S\n\`\`\`ask ${meta}\n${body}\n\`\`\`\n`).lesson?.steps[0]?.question;
    expect(ask('access struct:s s[1].c[5]')).toMatchObject({ root: 'struct:s', path: 's[1].c[5]' });
    expect(ask('value core=tc@0x10 sample:kernel.btf')).toMatchObject({ core: 'core=tc@0x10' });
    expect(ask('number 0x18')).toMatchObject({ value: 24n, nearMisses: [] });
    expect(ask('number 24', 'Q\n- 0x3 :: its id\n- -1 :: none')).toMatchObject({
      prompt: [{ type: 'paragraph', children: [{ value: 'Q' }] }],
      nearMisses: [
        { value: 3n, means: 'its id' },
        { value: -1n, means: 'none' },
      ],
    });
    expect(ask('number 8', 'How many bits?\n- right :: One byte.')).toMatchObject({
      unit: 'bit',
      why: 'One byte.',
      nearMisses: [],
    });
    expect(ask('number 8', 'How many bits of the byte?')).toMatchObject({ unit: null });
    expect(ask('choice', 'Q\n- [ ] a :: no\n- [x] b :: yes')).toMatchObject({
      options: [
        { text: 'a', isRight: false, why: 'no' },
        { text: 'b', isRight: true, why: 'yes' },
      ],
    });
    const body = 'Q\n:: start\nint a;\n\n:: hint\nH\n:: right\n\tint b;';
    expect(ask('write btf', body)).toMatchObject({
      prompt: [{ children: [{ value: 'Q' }] }],
      asks: { what: 'btf' },
      start: 'int a;\n\n',
      hint: [{ children: [{ value: 'H' }] }],
      right: '\tint b;\n',
    });
    expect(ask('write layout struct:s', body)).toMatchObject({
      asks: { what: 'layout', root: 'struct:s' },
    });
    expect(ask('write access struct:s s[1] .c', body)).toMatchObject({
      asks: { what: 'access', root: 'struct:s', path: 's[1] .c' },
    });
  });

  it.each([
    ['', '1:1 A lesson begins with a line ---'],
    ['---\ntitle: T\n', '1:1 The --- of line 1 has no second ---'],
    [
      `${HEAD.replace('title: T', 'titel: T')}## S`,
      '2:1 There is no key titel; there are title, about, object, number, lang, translates',
    ],
    [`${HEAD.replace('about: A.', 'about:')}## S`, '1:1 The lesson has no about'],
    [
      `${HEAD.replace('sample:kinds.btf', 'kinds.btf')}## S`,
      '4:1 object is sample:NAME, the SHA-256 of a file, link or own',
    ],
    [`${HEAD}text\n## S`, '6:1 This is before the first step'],
    [`${HEAD}## S\n<b>bold</b>`, '7:1 HTML is not shown; write Markdown'],
    [`${HEAD}## S\na ![b](c)`, '7:3 Pictures are not shown; show the place itself'],
    [`${HEAD}## S\n\n> - [a](javascript:1)`, '8:5 A link leads to #/… or https://…'],
    [`${HEAD}## S\n[a][b]\n\n[b]: https://c`, '9:1 Write a link in one piece: [text](address)'],
    [`${HEAD}## S\n\`\`\`notes\n\n<i>\n\`\`\``, '9:1 HTML is not shown; write Markdown'],
    [`${HEAD}## S\n\`\`\`ask number 3\n[a](b)\n\`\`\``, '8:1 A link leads to #/… or https://…'],
    [`${HEAD}## S\n\`\`\`ask number 3\nQ\n`, '7:1 The block has no second fence ```'],
    [`${HEAD}## S\n\`\`\`sohw\ntypes\n\`\`\``, '7:1 There is no block sohw; did you mean show?'],
    [`${HEAD}## S\n\`\`\`note\nx\n\`\`\``, '7:1 There is no block note; did you mean notes?'],
    [`${HEAD}## S\n\`\`\`asc number 3\nQ\n\`\`\``, '7:1 There is no block asc; did you mean ask?'],
    [`${HEAD}## S\n# T`, '7:1 The title is in the head; a step begins with ##'],
    [`${HEAD}##\n`, '6:1 The step has no title'],
    [`${HEAD}`, '1:1 A step begins with a heading: ## Title'],
    [
      `${HEAD}## S\n\`\`\`show\nhttps://x/\n\`\`\``,
      '7:1 show is one address, such as types?type=struct:foo',
    ],
    [
      `${HEAD}## S\n\`\`\`ask guess\nQ\n\`\`\``,
      '7:1 There is no question guess; there are click, access, value, number, count, choice, write',
    ],
    [
      `${HEAD}## S\n\`\`\`ask choice\nQ\n- [x] a :: b\n\`\`\``,
      '7:1 ask choice needs at least two options: - [ ] text :: why',
    ],
    [
      `${HEAD}## S\n\`\`\`ask choice\nQ\n- [x] a :: b\n- [ ] c\n\`\`\``,
      '7:1 Write after :: why "c" is right or wrong',
    ],
    [
      `${HEAD}## S\n\`\`\`ask write layout\nQ\n:: start\nint a;\n:: right\nint b;\n\`\`\``,
      '7:1 ask write needs btf, layout and a type, or access with a type and a path',
    ],
    [
      `${HEAD}## S\n\`\`\`ask write btf\nQ\n:: start\nint a;\n\`\`\``,
      '7:1 ask write needs C after the lines :: start and :: right',
    ],
    [
      `${HEAD}## S\n\`\`\`ask write btf\n:: start\nint a;\n:: right\nint b;\n\`\`\``,
      '7:1 The question has no text',
    ],
    [`${HEAD}## S\n\`\`\`ask number 3\n\`\`\``, '7:1 The question has no text'],
    [`${HEAD}## S\n\`\`\`callout\nx\n\`\`\``, '7:1 A callout is ```callout PLACE and a text'],
  ])('tells where %j is wrong', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it.each(['sample:kinds.btf', 'bytes1:abc', 'c1:abc', 'link', '0123456789abcdef'.repeat(4)])(
    'takes the object %s',
    (object) => {
      const text = `${HEAD.replace('sample:kinds.btf', object)}## S\n[a](#/bytes) [b](https://c.d)`;
      expect(readLesson(text)).toMatchObject({ lesson: { object }, problems: [] });
    },
  );

  it('refuses a text that is too long', () => {
    expect(problemsOf(' '.repeat(MAX_LESSON + 1))).toHaveLength(1);
  });

  it('reads lists and quotes of usual depth', () => {
    const list = '- a\n  - b\n    1. c\n> > d\n\n'.repeat(40);
    expect(readLesson(`${HEAD}## S\n${list}`).lesson?.steps).toHaveLength(1);
    expect(readLesson(`${HEAD}## ${'*a* '.repeat(400)}`).lesson?.steps).toHaveLength(1);
  });

  // Each text would keep the Markdown parser busy for seconds or minutes.
  it.each([
    ['quotes', '> '.repeat(5000), 'Lists and quotes are nested too deeply'],
    ['lists on one line', '- '.repeat(12_000), 'Lists and quotes are nested too deeply'],
    ['lists of lists', '- - a\n'.repeat(700), 'Lists and quotes are nested too deeply'],
    ['many quotes', '> a\n\n'.repeat(390), 'Lists and quotes are nested too deeply'],
    [
      'lists by spaces',
      Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
      'Lists and quotes are nested too deeply',
    ],
    ['emphasis', '_*'.repeat(12_000), 'The text has too many marks'],
    ['entities', '&&\\)'.repeat(12_000), 'The text has too many marks'],
    ['links', '[a]('.repeat(12_000), 'The text has too many marks'],
    ['titles', '===\n'.repeat(4000), 'A lesson has at most 50000 characters and 800 lines'],
    ['lines', 'a\n'.repeat(6000), 'A lesson has at most 50000 characters and 800 lines'],
  ])('refuses %s without end', (_what, text, problem) => {
    const { lesson, problems } = readLesson(`${HEAD}## S\n${text}`);
    expect(lesson).toBe(null);
    expect(problems.map(({ message }) => message)).toEqual([problem]);
  });

  it('reads any text', () => {
    const pieces = [
      '---',
      'title: x',
      '##',
      '## A',
      '```ask click',
      '```',
      '<script>',
      '- [x] a :: b',
      '> q',
      '[a](javascript:1)',
      '![i](x)',
      'text',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (lines) => {
        const { problems } = readLesson(lines.join('\n'));
        for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThan(0);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readLesson(text)));
  });
});
