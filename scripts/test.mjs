// Runs `npm test` (checks of behaviour, in minutes) and `npm run test:long` (slower checks on more
// input). Both stop after the first stage with a failure and print the command that repeats or
// fixes it. At the end they print the slowest and skipped tests, and totals.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './find-chromium.mjs';
import { freePort } from './free-port.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'btfscope-test-'));
const unitReport = join(reports, 'unit.json');
const e2eReport = join(reports, 'e2e.json');
const largeCorpus = join(root, '../shared/corpus');

/** Limit of lines in a section of the summary. */
const SLOWEST = 10;
const FUZZ_MINUTES = 3;
/** Minimum number of end-to-end tests that `npm test` runs. Each spec file must have one. */
const LEAST_E2E = 150;
/** Name in the summary for each state of a test. Tests with other states are listed as skipped. */
const UNIT_STATUS = { passed: 'passed', failed: 'failed' };
const E2E_STATUS = { expected: 'passed', flaky: 'passed', unexpected: 'failed' };

const isLong = process.argv.includes('--long');
// Environment of the long run, for src/testing/corpus.ts and e2e/playwright.config.ts.
const longEnv = {
  BTFSCOPE_LONG: '1',
  ...(existsSync(largeCorpus) ? { BTFSCOPE_CORPUS: 'large' } : {}),
};

const lint = {
  title: 'Format, lint, import rules and commit subjects',
  commands: [
    ['biome', 'ci', '.'],
    ['node', 'scripts/check-commit-subjects.mjs'],
  ],
  hint: 'npm run fix, then npm run lint',
};
const types = { title: 'Types', commands: [['tsc', '-b']], hint: 'npm run types' };
const unused = {
  title: 'Unused files, exports and packages',
  commands: [['knip']],
  hint: 'npx knip',
};
const samples = {
  title: 'Samples equal what their sources give',
  commands: [['node', 'scripts/build-samples.mjs', '--check']],
  hint: 'npm run samples, and commit what changed',
};
/** Steps of the workflows that need no network. The API reference needs TypeDoc from npx. */
const RELEASE = [
  ['node', 'scripts/build-api-docs.mjs', '--optional'],
  ['node', 'scripts/check-reproducible.mjs'],
  ['node', 'scripts/release-files.mjs', join(reports, 'release')],
];
const build = {
  title: 'Builds: page, command and library',
  commands: [['npm', 'run', 'build']],
  hint: 'npm run build',
};
const buildChecks = {
  title:
    'Builds: size of the first script; the npm package, installed; single page and extension for VS Code; the files of a release',
  commands: [
    ['node', 'scripts/check-size.mjs'],
    ['node', 'scripts/check-package.mjs', ...(isLong ? ['--everywhere'] : [])],
    // This script builds the single-file page, too.
    ['node', `scripts/${isLong ? 'check' : 'build'}-vscode.mjs`],
    ...(isLong ? [['node', 'scripts/check-code-server.mjs']] : RELEASE),
  ],
  hint: 'npm run build && node scripts/check-size.mjs && node scripts/check-package.mjs && node scripts/check-vscode.mjs && node scripts/check-code-server.mjs',
};
const without = {
  title: 'Builds: without teaching, without Alpha eCOFF',
  commands: [['node', 'scripts/build-without.mjs']],
  hint: 'node scripts/build-without.mjs',
};
const units = {
  title: 'Unit tests',
  commands: [
    ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
  ],
  hint: 'npm run unit -- FILE',
};
const e2e = {
  title: 'End-to-end tests',
  prepare: async () => {
    ensureChromium({ mayBeShell: true });
    if (isLong) ensureChromium();
    const port = process.env.PORT ?? `${await freePort()}`;
    return { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport, PORT: port };
  },
  commands: [['playwright', 'test', '-c', 'e2e']],
  check: () => (isLong ? null : hollowGate()),
  hint: 'npm run build && npm run e2e -- FILE',
};
const longUnits = {
  ...units,
  title: 'Unit tests: the large corpus',
  hint: 'BTFSCOPE_LONG=1 BTFSCOPE_CORPUS=large npm run unit -- FILE',
};
const longE2e = {
  ...e2e,
  title: 'End-to-end tests tagged @long, and those tagged @corpus on the large corpus',
  hint: 'npm run build && BTFSCOPE_LONG=1 BTFSCOPE_CORPUS=large npm run e2e -- FILE',
};
const singleAttack = {
  title: 'End-to-end tests: hostile files and links on the single-file page',
  commands: [['playwright', 'test', '-c', 'e2e', 'hostile-names', 'attack']],
  prepare: async () => ({
    BTFSCOPE_SINGLE: '1',
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'single.json'),
    PORT: `${await freePort()}`,
  }),
  hint: 'npm run build:single && BTFSCOPE_SINGLE=1 npm run e2e -- hostile-names attack',
};
const SHORT_PARTS = 'tools,unpack,core,compare,find,paths,graph';
const bench = {
  title: 'Bench: a short run, to look at',
  commands: [['node', 'scripts/bench.mjs', '--only', SHORT_PARTS, '--runs', '1']],
  hint: `npm run bench -- --only ${SHORT_PARTS} --runs 1`,
};
const fuzz = {
  title: `${FUZZ_MINUTES} minutes of fuzzing`,
  commands: [['node', 'scripts/fuzz.mjs', '--minutes', `${FUZZ_MINUTES}`, '--seed', '1']],
  hint: 'the command printed for each find; docs/robustness.md',
};

/**
 * Stages. The steps of a stage start in this order and run in parallel, one per core. The unit
 * tests use all cores; a step that uses one core runs beside them, so that no core is idle at the
 * end.
 */
const stages = isLong
  ? [[build], [fuzz, buildChecks, without, longUnits, bench], [longE2e], [singleAttack]]
  : [[types, build, samples, unused, lint], [units, buildChecks], [e2e]];

const startedAt = performance.now();
const finishedSteps = [];
if (isLong && !existsSync(largeCorpus)) {
  console.log('The large corpus is not at ../shared/corpus: tests use testdata/ only.');
}
let failed = [];
for (const stage of stages) {
  failed = await runStage(stage);
  if (failed.length > 0) break;
}
printSummary();
rmSync(reports, { recursive: true, force: true });
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs the steps of a stage in parallel; returns the steps that failed. */
async function runStage(stage) {
  const waiting = [...stage];
  const failures = [];
  const isAlone = stage.length === 1;
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = performance.now();
      if (isAlone) console.log(`\n== ${step.title}`);
      const { ok, output } = await runStep(step, isAlone);
      const seconds = secondsSince(start);
      if (!isAlone) console.log(`\n== ${step.title}\n${output.trimEnd()}`);
      console.log(`== ${ok ? 'passed' : 'failed'} in ${seconds.toFixed(1)} s`);
      finishedSteps.push({ title: step.title, seconds });
      if (!ok) failures.push(step);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return failures;
}

/**
 * Runs the commands of a step until one fails; if none fails, runs the step's check. Prints the
 * output at once if no other step runs; otherwise returns the output.
 */
async function runStep({ prepare, commands, check }, isAlone) {
  let output = '';
  try {
    const env = {
      ...process.env,
      ...(isLong ? longEnv : {}),
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
      ...(await prepare?.()),
    };
    for (const command of commands) {
      const ended = await run(command, env, isAlone);
      output += ended.output;
      if (ended.status !== 0) return { ok: false, output };
    }
    const fault = check?.() ?? null;
    if (fault !== null) throw new Error(fault);
    return { ok: true, output };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isAlone) console.log(message);
    return { ok: false, output: `${output}${message}\n` };
  }
}

function run([command, ...args], env, isAlone) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ['ignore', ...(isAlone ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
      shell: process.platform === 'win32',
    });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      if (signal !== null) chunks.push(Buffer.from(`${command}: ended by ${signal}\n`));
      resolve({ status, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** Prints the slowest, skipped and failed tests, then the totals of both test runners. */
function printSummary() {
  const tests = [...unitTests(), ...e2eTests()];
  const list = (title, lines) => {
    if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`);
  };
  const timed = (rows) =>
    rows
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST)
      .map(({ title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${title}`);
  const perFile = (runner) => {
    const files = new Map();
    for (const test of tests.filter((test) => test.runner === runner)) {
      files.set(test.file, (files.get(test.file) ?? 0) + test.seconds);
    }
    return [...files].map(([title, seconds]) => ({ title, seconds }));
  };
  list('Slowest steps', timed(finishedSteps));
  list('Slowest unit test files', timed(perFile('unit')));
  list('Slowest end-to-end test files', timed(perFile('e2e')));
  const having = (status) => tests.filter((test) => test.status === status);
  list('Skipped', countedByFile(having('skipped')));
  list(
    'Failed',
    having('failed').map(({ file, title }) => `${file}: ${title}`),
  );
  console.log('');
  for (const { title, hint } of failed) {
    console.log(`Stopped at: ${title}. To repeat or fix it: ${hint}`);
  }
  if (failed.length === 0) {
    console.log(`All steps passed in ${secondsSince(startedAt).toFixed(1)} s.`);
  }
  // A step can fail without a failing test; it then counts as one failure.
  const failures = Math.max(having('failed').length, failed.length > 0 ? 1 : 0);
  console.log(
    `${having('passed').length} passed, ${failures} failed, ${having('skipped').length} skipped`,
  );
}

/** Returns a line per file: the title of its test, or the number of its tests if it has several. */
function countedByFile(tests) {
  const files = new Map();
  for (const test of tests) files.set(test.file, [...(files.get(test.file) ?? []), test]);
  return [...files].map(
    ([file, [first, ...others]]) =>
      `${file}: ${others.length === 0 ? first.title : `${others.length + 1} tests`}`,
  );
}

function unitTests() {
  return (readReport(unitReport)?.testResults ?? []).flatMap(
    ({ name, status, assertionResults }) =>
      assertionResults.length === 0 && status === 'failed'
        ? [{ runner: 'unit', file: placeOf(name), title: 'the file', seconds: 0, status: 'failed' }]
        : assertionResults.map((test) => ({
            runner: 'unit',
            file: placeOf(name),
            title: test.fullName,
            seconds: (test.duration ?? 0) / 1000,
            status: UNIT_STATUS[test.status] ?? 'skipped',
          })),
  );
}

function e2eTests() {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  return (readReport(e2eReport)?.suites ?? []).flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests.map(({ status, results }) => ({
      runner: 'e2e',
      file: `e2e/${file}`,
      title,
      seconds: results.reduce((sum, { duration }) => sum + duration / 1000, 0),
      status: E2E_STATUS[status] ?? 'skipped',
    })),
  );
}

/** Returns a problem if too few end-to-end tests run, or if a spec file runs none; else null. */
function hollowGate() {
  const tests = e2eTests();
  const run = new Set(tests.map(({ file }) => file));
  const specs = readdirSync(join(root, 'e2e'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `e2e/${file.replaceAll('\\', '/')}`);
  const missing = specs.filter((file) => !run.has(file));
  if (missing.length > 0) return `All tests of these files are tagged @long: ${missing.join(', ')}`;
  if (tests.length >= LEAST_E2E) return null;
  return `${tests.length} end-to-end tests, expected at least ${LEAST_E2E} that are not tagged @long`;
}

function placeOf(file) {
  return relative(root, file).replaceAll('\\', '/');
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function secondsSince(start) {
  return (performance.now() - start) / 1000;
}
