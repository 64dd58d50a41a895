/** Compares the model of every eCOFF file in the corpus with an independent reader. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ingestBytes } from '#ingest/ingest.ts';
import { sectionIndex } from '#model/ids.ts';
import { sectionCount, sectionName } from '#model/sections.ts';
import { corpusPath, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';

const names = readdirSync(corpusPath('ecoff'))
  .filter((file) => file.endsWith('.expected.json'))
  .map((file) => file.replace('.expected.json', ''));

describe('eCOFF files of the corpus', () => {
  it.each(names)('%s', async (name) => {
    const object = corpusPath(`ecoff/${name}.o`);
    const bytes = readFileSync(existsSync(object) ? object : corpusPath(`ecoff/${name}`));
    const read = await ingestBytes(name, new Uint8Array(bytes)).catch(() => null);
    const expected = JsonRow.parse(readCorpusText(`ecoff/${name}.expected.json`));
    if (read === null) {
      expect(expected.has('truncated')).toBe(true);
      return;
    }
    if (read.kind !== 'object') throw new Error('not an object');
    const { sections, relocations, size } = read.model;
    expect(read.source.size).toBe(size);
    for (let row = 0; row < relocations.count; row++) {
      const end = (relocations.entryOffset[row] ?? 0) + (relocations.entrySize[row] ?? 0);
      expect(end).toBeLessThanOrEqual(size);
    }
    if (!expected.has('sections') || expected.has('truncated')) return;
    const ours = Array.from({ length: sectionCount(sections) }, (_, i) =>
      sectionName(sections, sectionIndex(i + 1)),
    );
    expect(ours).toEqual(expected.rows('sections').map((row) => row.text('name')));
    const plain = expected.rows('relocations').reduce((sum, row) => sum + row.number('count'), 0);
    const isPlain = (type: number) => type < 0x100;
    expect(relocations.type.filter(isPlain).length).toBe(plain);
  });
});
