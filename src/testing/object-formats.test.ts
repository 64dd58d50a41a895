/**
 * Checks that only registration lines import an object format's folders: one line per layer.
 * `scripts/build-without.mjs` builds without these lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Folders with the code for Alpha eCOFF, in all layers. */
const FOLDERS = ['src/formats/ecoff', 'src/ingest/ecoff', 'src/analysis/ecoff'];
const REGISTRIES = [
  'src/formats/object-modules.ts',
  'src/ingest/object-modules.ts',
  'src/analysis/formats/modules.ts',
];
const FOLDER = /(?:#(?:formats|ingest|analysis)|\.)\/ecoff\//;

function linesOf(file: string): string[] {
  return readFileSync(join(root, file), 'utf8').split('\n');
}

it('only the registration lines import the folders of eCOFF', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => ![...FOLDERS, 'src/testing'].some((folder) => file.startsWith(`${folder}/`)));
  const importers = sources.flatMap((file) =>
    linesOf(file)
      .filter((line) => FOLDER.test(line))
      .map(() => file),
  );
  expect(importers.toSorted()).toEqual(REGISTRIES.toSorted());
});
