/** Compares rewritten blobs, byte for byte, with those that a real libbpf passes to the kernel. */
import { describe, expect, it } from 'vitest';
import { corpusList, corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openModel } from '#testing/open-model.ts';
import { checkBtf } from './check-btf.ts';
import { asLoaded, type Loaded } from './fixups.ts';

type Opened = { readonly id: string; readonly loaded: Loaded; readonly row: JsonRow | null };

describe('objects as libbpf opens them', async () => {
  const packed = (name: string) => readCorpusFile({ id: name, name, file: `validity/${name}.zst` });
  const rows = corpusList('validity/validity.json.zst');
  const pack = packed('blobs.pack');
  const opened = new Map(
    rows.filter((row) => row.text('group') === 'opened').map((row) => [row.text('object'), row]),
  );
  const given = new Set(
    rows.filter((row) => row.text('group') === 'object').map((row) => row.text('object')),
  );
  const found: Opened[] = [];
  for (const object of corpusObjects()) {
    if (!given.has(object.id)) continue;
    const loaded = asLoaded(await openModel(object.name, readCorpusFile(object)));
    if (loaded !== null) found.push({ id: object.id, loaded, row: opened.get(object.id) ?? null });
  }

  it('are rewritten to the same bytes', () => {
    const different = found.flatMap(({ id, loaded, row }) => {
      if (row === null) return [];
      const start = row.number('pack_off');
      const wanted = pack.subarray(start, start + row.number('size'));
      return Buffer.compare(wanted, loaded.blob) === 0 && loaded.stopped === null
        ? []
        : [[id, loaded.stopped]];
    });
    expect(found.filter(({ row }) => row !== null).length).toBeGreaterThan(50);
    expect(different).toEqual([]);
  });

  it('have the verdict of what was opened', () => {
    const wrong = found.flatMap(({ id, loaded, row }) => {
      const { kernel } = checkBtf(loaded.blob, null);
      const word = kernel.verdict === 'ok' ? '' : kernel.word;
      return row === null || row.text('error_word') === word ? [] : [[id, word]];
    });
    expect(wrong).toEqual([]);
  });
});
