/** Compares listings byte for byte with the expected listings of the corpus. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { ecoffListing } from '#testing/all-at-once.ts';
import { corpusPath, readCorpusText } from '#testing/corpus.ts';

const names = readdirSync(corpusPath('ecoff'))
  .filter((file) => file.endsWith('.listing.txt'))
  .map((file) => file.replace('.listing.txt', ''));

describe('the relocation listing in the corpus', () => {
  it.each(names)('%s', (name) => {
    const object = corpusPath(`ecoff/${name}.o`);
    const bytes = readFileSync(existsSync(object) ? object : corpusPath(`ecoff/${name}`));
    const file = readEcoff(bytes, []);
    expect(file === null ? null : ecoffListing(file)).toBe(
      readCorpusText(`ecoff/${name}.listing.txt`),
    );
  });
});
