/** Checks that the documents have the sections that glossary cards cite. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusRoot, isLargeCorpus } from '#testing/corpus.ts';
import { GLOSSARY } from './glossary.ts';

/** Folder of the documents. testdata/ has only their tables of contents, the large corpus all. */
const folder = join(corpusRoot, isLargeCorpus ? '../spec' : 'src/documents');
const files = isLargeCorpus
  ? {
      btf: ['btf-format-current.txt', 'btf-format-2019.txt'],
      llvm: ['bpf-llvm-relocations.rst'],
      ecoff: ['alpha-ecoff-relocations.txt'],
    }
  : { btf: ['btf.txt'], llvm: ['llvm-relocations.txt'], ecoff: ['ecoff.txt'] };

function textOf(names: readonly string[]): string {
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts
    .join('\n')
    .toLowerCase()
    .replace(/[^\S\n]+/g, ' ');
}

const cards = GLOSSARY.flatMap((group) => group.cards);

function cardsOf(document: string) {
  const citing = cards.filter(({ source }) => source.document === document);
  return citing.map(({ id, source }): [string, string, string] => [
    id,
    source.section,
    source.address,
  ]);
}

describe('sections of documents', () => {
  it.each(cardsOf('BTF Type Format'))('%s: %s', (_, section, address) => {
    const text = textOf(files.btf);
    const title = section.toLowerCase();
    const words = title.replace(/^[\d.]+ /, '');
    const anchor = address.slice(address.indexOf('#') + 1);
    // Some copies of documents lack a heading. Then its title or its anchor must be in the text.
    const isNamed = [title, words, `${anchor}ah`, anchor.replaceAll('-', '_')].some((each) =>
      text.includes(each),
    );
    expect(isNamed).toBe(true);
    expect(anchor).toBe(words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''));
  });

  it.each(cardsOf('BPF LLVM Relocations'))('%s: %s', (_, section) => {
    const text = textOf(files.llvm);
    expect(text).toMatch(
      new RegExp(`^${section.toLowerCase()}\n=|^${section.toLowerCase()}$`, 'm'),
    );
  });

  it.each(cardsOf('Tru64 UNIX Object File Specification'))('%s: %s', (_, section) => {
    const text = textOf(files.ecoff);
    const title = section.toLowerCase();
    expect(text.split('\n').some((line) => line.trim().startsWith(title))).toBe(true);
  });
});
