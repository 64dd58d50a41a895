import { describe, expect, it } from 'vitest';
import { GLOSSARY, readCards } from './glossary.ts';
import { readPicture } from './term.ts';

const CARD = `# Group

## vlen

First sentence.
Second about \`<a>\`.

\`\`\`word
kind:5 _:3 *vlen:8*
\`\`\`

[2.2 Type Encoding](https://docs.kernel.org/bpf/btf.html#type-encoding "BTF Type Format")

Related: kind, info
`;

describe('readCards', () => {
  it('reads the title of the group and each part of a card', () => {
    const { title, cards } = readCards(CARD);
    expect(title).toBe('Group');
    expect(cards).toMatchObject([
      {
        id: 'vlen',
        sentences: ['First sentence.', 'Second about <a>.'],
        picture: { kind: 'word', bits: 16, lit: 'vlen' },
        source: {
          document: 'BTF Type Format',
          section: '2.2 Type Encoding',
          address: 'https://docs.kernel.org/bpf/btf.html#type-encoding',
        },
        related: ['kind', 'info'],
      },
    ]);
  });

  it.each([
    ['## vlen', '## vlenn', /no term vlenn/],
    ['Related: kind', 'Related: knid', /no term knid/],
    ['Second about `<a>`.\n', '', /another form:\nvlen/],
    ['```word', '```words', /not words/],
    [' "BTF Type Format"', '', /another form/],
  ])('refuses a card with %j changed to %j', (from, to, message) => {
    expect(() => readCards(CARD.replace(from, to))).toThrow(message);
  });
});

describe('readPicture', () => {
  it('places the parts of a word from the highest bit down', () => {
    expect(readPicture('word', '', '*a:1* _:3 b:4')).toEqual({
      kind: 'word',
      bits: 8,
      parts: [
        { name: 'a', start: 7, length: 1 },
        { name: '', start: 4, length: 3 },
        { name: 'b', start: 0, length: 4 },
      ],
      lit: 'a',
    });
  });

  it('reads the unit and the title of a layout', () => {
    expect(readPicture('layout', 'bit unsigned int', 'a:4 _:28')).toMatchObject({
      unit: 'bit',
      title: 'unsigned int',
      size: 32,
      lit: '',
    });
  });

  it('reads the highlighted box of a flow and the highlighted bytes', () => {
    expect(readPicture('flow', '', 'a → *b c*')).toEqual({
      kind: 'flow',
      boxes: ['a', 'b c'],
      lit: 1,
    });
    expect(readPicture('bytes', '', '18 *01 02* 00\nsrc')).toEqual({
      kind: 'bytes',
      bytes: [0x18, 1, 2, 0],
      start: 1,
      end: 3,
      caption: 'src',
    });
  });
});

describe('sources', () => {
  const sources = GLOSSARY.flatMap(({ cards }) => cards.map(({ source }) => source));

  it('have one page per document, and of the System V gABI one per chapter', () => {
    const pages = new Map<string, Set<string>>();
    for (const { document, section, address } of sources) {
      const name = document === 'System V gABI' ? `${document}, ${section}` : document;
      const [page = ''] = address.split('#');
      pages.set(name, (pages.get(name) ?? new Set()).add(page));
    }
    expect([...pages].filter(([, addresses]) => addresses.size !== 1)).toEqual([]);
  });

  it('have the anchor of the section', () => {
    const wrong = sources.filter(({ document, section, address }) => {
      const [, anchor] = address.split('#');
      const [number = '', ...words] = section.split(' ');
      if (document === 'RFC 9669') return anchor !== `section-${number}`;
      const title = /^\d/.test(number) ? words.join(' ') : section;
      const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      return anchor !== undefined && anchor !== slug.replaceAll(/^-|-$/g, '');
    });
    expect(wrong).toEqual([]);
  });
});
