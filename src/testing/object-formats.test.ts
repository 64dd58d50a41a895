/**
 * Proves that a format of objects is registered at one place of each layer: only the
 * registration lines import its folders, and the page and the command build without them.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The folders of Alpha eCOFF, and the line of each layer that registers it. */
const FOLDERS = ['src/formats/ecoff', 'src/ingest/ecoff', 'src/analysis/ecoff'];
const REGISTRIES = [
  'src/formats/object-modules.ts',
  'src/ingest/object-modules.ts',
  'src/analysis/formats/modules.ts',
];
/** What a build does not need. */
const NOT_COPIED = new Set(['.git', 'dist', 'dist-cli', 'node_modules', 'testdata']);
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

// Two builds take most of a minute.
it.runIf(process.env.BTFSCOPE_LONG !== undefined)(
  'the page and the command build without eCOFF',
  () => {
    const copy = mkdtempSync(join(tmpdir(), 'btfscope-without-ecoff-'));
    try {
      for (const part of readdirSync(root).filter((name) => !NOT_COPIED.has(name))) {
        cpSync(join(root, part), join(copy, part), { recursive: true });
      }
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      for (const folder of FOLDERS) rmSync(join(copy, folder), { recursive: true });
      for (const file of REGISTRIES) {
        const left = linesOf(file).filter((line) => !FOLDER.test(line));
        writeFileSync(join(copy, file), `${left.join('\n')}export {};\n`);
      }
      const vite = join(root, 'node_modules/vite/bin/vite.js');
      for (const build of [['build'], ['build', '--ssr', 'src/cli/main.ts']]) {
        const done = spawnSync(process.execPath, [vite, ...build], { cwd: copy, encoding: 'utf8' });
        expect(done.status, `${done.stdout}${done.stderr}`).toBe(0);
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
  },
  600_000,
);
