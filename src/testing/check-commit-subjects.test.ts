/** Tests scripts/check-commit-subjects.mjs, which `.githooks/commit-msg` and `npm run lint` run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = new URL('../../scripts/check-commit-subjects.mjs', import.meta.url);
const loaded: unknown = await import(script.href);

type Fault = (subject: string) => string | null;

function hasFault(module: unknown): module is { readonly subjectFault: Fault } {
  return typeof module === 'object' && module !== null && 'subjectFault' in module;
}

function faultOf(subject: string): string | null {
  if (!hasFault(loaded)) throw new Error('scripts/check-commit-subjects.mjs has no subjectFault');
  return loaded.subjectFault(subject);
}

it.each([
  'core: cache candidates by essential name',
  'views/types: keep the scroll position',
  'model, print: read what is stored once',
  'bytes: feed the reader by slices',
  'ui: focus the row that was selected',
  'load: say why an object is refused',
  'biome.import-rules.json: restore the formatting',
  `a: ${'b'.repeat(69)}`,
])('%s is accepted', (subject) => {
  expect(faultOf(subject)).toBeNull();
});

it.each([
  ['cache candidates by name', 'area: change'],
  ['Merge what is here', 'area: change'],
  ['core:cache candidates', 'area: change'],
  [`a: ${'b'.repeat(70)}`, '73 characters'],
  ['core: cached candidates', 'imperative'],
  ['core: caches candidates', 'imperative'],
  ['core: caching of candidates', 'imperative'],
  ['core: the cache of candidates', 'imperative'],
  ['core: candidates are cached', 'imperative'],
  ['lessons: long texts are cut', 'imperative'],
])('%s is refused', (subject, reason) => {
  expect(faultOf(subject)).toContain(reason);
});

it('the hook reads the first line, and passes subjects that git writes for a rebase', () => {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-commits-'));
  const hook = (message: string) => {
    const file = join(folder, 'COMMIT_EDITMSG');
    writeFileSync(file, message);
    return spawnSync(process.execPath, [fileURLToPath(script), file], { encoding: 'utf8' });
  };
  try {
    expect(hook('core: cache candidates\n\nCandidates are cached.\n').status).toBe(0);
    expect(hook('fixup! core: cached candidates\n').status).toBe(0);
    expect(hook('core: cached candidates\n')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('core: cached candidates\n  expected the imperative'),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
