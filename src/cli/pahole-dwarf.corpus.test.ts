/** Compares pahole's text of DWARF with that of an installed pahole 1.31, for objects of the corpus. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isLargeCorpus, readCorpusFile, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const { stdout: version } = spawnSync('pahole', ['--version'], { encoding: 'utf8' });
const hasPahole = version?.trim() === 'v1.31';
const objects =
  isLargeCorpus && hasPahole
    ? JsonRow.parse(readCorpusText('dwarf/MANIFEST.json')).rows('objects')
    : [];

const folder = mkdtempSync(join(tmpdir(), 'btfscope-pahole-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!isLargeCorpus)('the text of DWARF is that of pahole -F dwarf 1.31', () => {
  it.skipIf(hasPahole)('skipped: pahole 1.31 is not installed', () => {
    expect(hasPahole).toBe(false);
  });

  it.skipIf(!hasPahole)('for all objects of the corpus', () => {
    expect(objects).toHaveLength(343);
  });

  it.each(objects.map((row) => [row.text('id'), row] as const))('%s', async (id, row) => {
    const bytes = readCorpusFile({ id, name: id, file: `dwarf/${row.text('file')}` });
    const path = join(folder, 'object');
    writeFileSync(path, bytes);
    const { stdout } = spawnSync('pahole', ['-F', 'dwarf', path], { encoding: 'latin1' });
    const { out } = await runCommand(['pahole', id], new Map([[id, bytes]]));
    expect(out).toBe(stdout);
  });
});
