/** Types of a stripped file from its debug file. The files are made of one that has both. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { declarationText, memoryText, typePlace } from '#analysis/dwarf/type-places.ts';
import { bufferSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import { typeId } from '#model/ids.ts';
import { lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';

/** Splits a linked file into the stripped file and its debug file. */
function split(path: string): { readonly stripped: Uint8Array; readonly debug: Uint8Array } {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  try {
    const run = (...words: string[]) => execFileSync('llvm-objcopy-19', words);
    run('--only-keep-debug', path, join(folder, 'debug'));
    run('--strip-all', path, join(folder, 'stripped'));
    const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
    return { stripped: read('stripped'), debug: read('debug') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the place of each named type: declaration and address. */
function placesOf(model: Awaited<ReturnType<typeof openModel>>): readonly string[] {
  const { types } = model;
  if (types === null) return [];
  const lines: string[] = [];
  for (let id = types.firstId; id <= lastId(types); id++) {
    const place = typePlace(model, typeId(id));
    if (place === null || nameOf(types, typeId(id)) === '') continue;
    const memory = place.memory === null ? '' : memoryText(model, place.memory);
    lines.push(`${nameOf(types, typeId(id))}: ${declarationText(place)} ${memory}`);
  }
  return lines;
}

it('shows the types of the debug file with places in the stripped file', async () => {
  const path = 'testdata/dwarf/shared.o';
  const { stripped, debug } = split(path);
  expect((await openModel('stripped', stripped)).types).toBeNull();
  const debugFile = bufferSource('debug', debug);
  const opened = await ingest(bufferSource('stripped', stripped), { debugFile });
  if (opened.kind !== 'object') throw new Error('no object');
  const { model } = opened;
  expect(model.dwarf).toMatchObject({ section: null, debugFile: 'debug' });
  const whole = await openModel('shared.o', new Uint8Array(readFileSync(path)));
  expect(placesOf(model).length).toBeGreaterThan(10);
  expect(placesOf(model)).toEqual(placesOf(whole));
});

it('ignores the debug file of a file that has DWARF', async () => {
  const bytes = new Uint8Array(readFileSync('testdata/dwarf/shared.o'));
  const debugFile = bufferSource('debug', new Uint8Array(0));
  const opened = await ingest(bufferSource('shared.o', bytes), { debugFile });
  expect(opened.kind === 'object' && opened.model.dwarf?.debugFile).toBeNull();
});
