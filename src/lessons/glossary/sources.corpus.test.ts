/** That the documents have the sections that cards name, where the documents are at hand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusRoot } from '#testing/corpus.ts';
import { GLOSSARY } from './glossary.ts';

const folder = corpusRoot === null ? null : join(corpusRoot, '../spec');
const isThere = folder !== null && existsSync(folder);

function textOf(...names: readonly string[]): string {
  const texts = names.map((name) => readFileSync(join(folder ?? '', name), 'utf8'));
  return texts
    .join('\n')
    .toLowerCase()
    .replace(/[^\S\n]+/g, ' ');
}

const cards = GLOSSARY.flatMap((group) => group.cards);

function cardsOf(document: string) {
  const found = cards.filter(({ source }) => source.document === document);
  return found.map(({ id, source }): [string, string, string] => [
    id,
    source.section,
    source.address,
  ]);
}

describe.skipIf(!isThere)('sections of documents', () => {
  it.each(cardsOf('BTF Type Format'))('%s: %s', (_, section, address) => {
    const text = textOf('btf-format-current.txt', 'btf-format-2019.txt');
    const title = section.toLowerCase();
    const words = title.replace(/^[\d.]+ /, '');
    const anchor = address.slice(address.indexOf('#') + 1);
    // The copies at hand have lost some headings: what is left of one is its title or its anchor.
    const isNamed = [title, words, `${anchor}ah`, anchor.replaceAll('-', '_')].some((each) =>
      text.includes(each),
    );
    expect(isNamed).toBe(true);
    expect(anchor).toBe(words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''));
  });

  it.each(cardsOf('BPF LLVM Relocations'))('%s: %s', (_, section) => {
    const text = textOf('bpf-llvm-relocations.rst');
    expect(text).toMatch(
      new RegExp(`^${section.toLowerCase()}\n=|^${section.toLowerCase()}$`, 'm'),
    );
  });

  it.each(cardsOf('Tru64 UNIX Object File Specification'))('%s: %s', (_, section) => {
    const text = textOf('alpha-ecoff-relocations.txt');
    const title = section.toLowerCase();
    expect(text.split('\n').some((line) => line.trim().startsWith(title))).toBe(true);
  });
});
