/** Compares texts of real and damaged files byte for byte with those of llvm-readelf 19. */
import { describe, expect, it } from 'vitest';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openObject } from '#testing/open-model.ts';
import { readelf } from './readelf.ts';

const objects = corpusObjects().filter(({ id }) => goldenOf(id, 'readelf.txt') !== null);

async function textOf(name: string, bytes: Uint8Array): Promise<string> {
  const { model, source } = await openObject(name, bytes);
  const all = new Set(['file-header', 'sections', 'relocations', 'symbols'] as const);
  let text = '';
  for await (const lines of readelf(model, source, all)) {
    text += lines.map((line) => `${line}\n`).join('');
  }
  return text;
}

describe('readelf on the corpus', () => {
  it('has objects to compare', () => {
    expect(objects.length).toBeGreaterThan(100);
  });

  it.each(objects.map((object) => [object.id, object] as const))('%s', async (_id, object) => {
    const golden = goldenOf(object.id, 'readelf.txt');
    expect(await textOf(object.name, readCorpusFile(object))).toBe(golden?.text);
  });
});
