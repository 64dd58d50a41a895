// Everything that CI runs, one step after another: `npm test`. Stops at the first
// step that fails and says how to repeat or fix it. The last line sums the tests.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'btfscope-test-'));
const unitReport = join(reports, 'unit.json');
const e2eReport = join(reports, 'e2e.json');

/** Only in CI: it takes as long as it is told. What it finds it writes to .cache/fuzz. */
const FUZZ = {
  title: 'Five minutes of fuzzing',
  command: ['node', 'scripts/fuzz.mjs', '--minutes', '5', '--seed', '1'],
  hint: 'the command that it printed for each find; docs/robustness.md',
};

const steps = [
  {
    title: 'Format, lint and import rules',
    command: ['biome', 'ci', '.'],
    hint: 'npm run fix, then npm run lint',
  },
  { title: 'Types', command: ['tsc', '-b'], hint: 'npm run types' },
  {
    title: 'Unit tests',
    command: [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${unitReport}`,
    ],
    hint: 'npm run unit -- FILE',
  },
  { title: 'Unused files, exports and packages', command: ['knip'], hint: 'npx knip' },
  {
    title: 'Samples are what their sources give',
    command: ['node', 'scripts/build-samples.mjs', '--check'],
    hint: 'npm run samples, and commit what changed',
  },
  { title: 'Build', command: ['npm', 'run', 'build'], hint: 'npm run build' },
  {
    title: 'Build of the single page',
    command: ['npm', 'run', 'build:single'],
    hint: 'npm run build:single',
  },
  {
    title: 'Size of the first script',
    command: ['node', 'scripts/check-size.mjs'],
    hint: 'npm run build && node scripts/check-size.mjs',
  },
  {
    title: 'End-to-end tests',
    prepare: () => ({ CHROMIUM_PATH: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport }),
    command: ['playwright', 'test', '-c', 'e2e'],
    hint: 'npm run build && npm run e2e',
  },
  ...(process.env.CI === undefined ? [] : [FUZZ]),
];

const startedAt = performance.now();
const failed = steps.find((step) => !passes(step));
console.log('');
if (failed) console.log(`Stopped at: ${failed.title}. To repeat or fix it: ${failed.hint}`);
else console.log(`All steps passed in ${secondsSince(startedAt)}.`);
printSummary(failed !== undefined);
rmSync(reports, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;

function passes({ title, prepare, command }) {
  const start = performance.now();
  console.log(`\n== ${title}: ${command.slice(0, 3).join(' ')}`);
  try {
    const bin = join(root, 'node_modules', '.bin');
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      ...prepare?.(),
    };
    const { error, signal, status } = spawnSync(command[0], command.slice(1), {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    if (error) throw error;
    const ok = status === 0;
    console.log(`== ${ok ? 'passed' : `failed (${signal ?? status})`} in ${secondsSince(start)}`);
    return ok;
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    console.log(`== failed in ${secondsSince(start)}`);
    return false;
  }
}

/** Tests of both runners; a step that failed without a failing test counts as one. */
function printSummary(stepFailed) {
  const unit = readReport(unitReport);
  const e2e = readReport(e2eReport)?.stats;
  const sum = (...counts) => counts.reduce((total, count) => total + (count ?? 0), 0);
  const passed = sum(unit?.numPassedTests, e2e?.expected, e2e?.flaky);
  const failures = sum(unit?.numFailedTests, e2e?.unexpected);
  const skipped = sum(unit?.numPendingTests, unit?.numTodoTests, e2e?.skipped);
  console.log(
    `${passed} passed, ${Math.max(failures, stepFailed ? 1 : 0)} failed, ${skipped} skipped`,
  );
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
