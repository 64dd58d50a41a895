/**
 * Runs the steps of `action.yml` as GitHub does: in bash, with environment variables and result
 * files.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonRow } from '#testing/json-row.ts';
import { atlasBytes } from '#testing/small-atlas.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ACTION = readFileSync(join(ROOT, 'action.yml'), 'utf8');

/** Script of each `run: |` step, without its indentation. */
const SCRIPTS = [...ACTION.matchAll(/^( +)run: \|\n((?:\1 {2}.*\n|\n)+)/gm)].map(
  ([, indent = '', text = '']) => text.replaceAll(`\n${indent}  `, '\n').trimStart(),
);
/** Each environment variable of the steps, with its input and the default value of the input. */
const GIVEN = [...ACTION.matchAll(/^ {8}([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$/gm)];
const DEFAULTS = new Map(
  [...ACTION.matchAll(/^ {2}([a-z-]+):\n(?: {4}(?!default).*\n)*? {4}default: (.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')],
  ),
);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-action-'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const words = [vite, 'build', '--ssr', 'src/cli/main.ts', '--outDir', join(folder, 'dist-cli')];
  const built = spawnSync(process.execPath, [...words, '--logLevel', 'error'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect([built.status, built.stderr]).toEqual([0, '']);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the steps until one fails. Returns the results of the last step that ran. */
function run(inputs: Readonly<Record<string, string>>) {
  const own = Object.fromEntries(
    GIVEN.map(([, variable = '', name = '']) => [variable, inputs[name] ?? DEFAULTS.get(name)]),
  );
  const [summary, output, sarif] = ['summary.md', 'output', 'out.sarif'].map((name) =>
    join(folder, name),
  );
  for (const file of [summary, output, sarif]) rmSync(`${file}`, { force: true });
  const env = {
    ...process.env,
    ...own,
    SARIF: sarif,
    GITHUB_ACTION_PATH: folder,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
  };
  let status: number | null = 0;
  let out = '';
  for (const script of SCRIPTS) {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const ran = spawnSync('bash', words, {
      cwd: join(ROOT, 'public/samples'),
      env,
      encoding: 'utf8',
    });
    ({ status } = ran);
    out = ran.stdout;
    if (status !== 0) break;
  }
  return { status, out, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

describe('action.yml', () => {
  it('has two steps, and a variable for each input', () => {
    expect(SCRIPTS.length).toBe(2);
    expect(GIVEN.map(([, , name]) => name).toSorted()).toEqual([
      'atlas',
      'config',
      'explain',
      'fail-on',
      'kernels',
      'modules',
      'objects',
      'sarif',
    ]);
    expect(DEFAULTS.get('fail-on')).toBe('rejected');
    expect(ACTION).not.toMatch(/run: \|\n(?: {8}.*\n|\n)*? {8}.*\$\{\{/);
  });

  it('writes the summary and the SARIF, and passes with the inputs of load.yml', {
    timeout: 30_000,
  }, () => {
    const ran = run({ objects: 'xdp_*.bpf.o', kernels: 'kernel.btf' });
    expect(ran.status).toBe(1);
    const workflow = readFileSync(join(ROOT, '.github/workflows/load.yml'), 'utf8');
    const [, inputs = ''] = /uses: \.\/\n +with:\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
    const given = [...inputs.matchAll(/^ +([a-z-]+): (.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('public/samples/', '')] as const,
    );
    expect(given.map(([name]) => name)).toEqual(['objects', 'kernels']);
    const little = run(Object.fromEntries(given));
    expect(little.status).toBe(0);
    expect(little.out).toContain('loads on kernel.btf');
    expect(little.read('summary.md')).toContain('| program | kernel.btf |');
    expect(little.read('output')).toBe(`sarif=${join(folder, 'out.sarif')}\n`);
    const sarif = JsonRow.parse(little.read('out.sarif'));
    expect(sarif.rows('runs')[0]?.rows('results').length).toBeGreaterThan(0);
  });

  it('fails on a program that the verifier rejects', { timeout: 30_000 }, () => {
    const ran = run({ objects: 'bitfields.bpf.o', kernels: 'kernel.btf' });
    expect(ran.status).toBe(1);
    expect(ran.out).toContain('refused on kernel.btf');
  });

  it('takes the kernels of an atlas alone', { timeout: 30_000 }, async () => {
    const kernel = readFileSync(join(ROOT, 'public/samples/kernel.btf'));
    const atlas = join(folder, 'two.btfatlas');
    writeFileSync(atlas, await atlasBytes({ '6.1.0-amd64': kernel, '6.2.0-amd64': kernel }));
    const ran = run({ objects: 'xdp_counter.bpf.o', atlas });
    expect(ran.status).toBe(0);
    expect(ran.read('summary.md')).toContain('| program | 6.1.0\\-amd64 | 6.2.0\\-amd64 |');
    expect(run({ objects: 'xdp_counter.bpf.o' }).status).not.toBe(0);
  });

  it('explains the logs of failed loads', { timeout: 30_000 }, () => {
    const log = join(ROOT, 'docs/examples/refused.log');
    const ran = run({ objects: 'xdp_counter.bpf.o', kernels: 'kernel.btf', explain: log });
    expect(ran.status).toBe(0);
    expect(ran.out).toMatch(
      /^::error file=null_lookup\.bpf\.c,line=20,title=null_lookup::.*NULL.*Write `if/m,
    );
    expect(ran.read('summary.md')).toMatch(/^### null\\_lookup: rejected\n\n.*NULL/);
  });

  it('takes a file name that begins with -- as a file', { timeout: 30_000 }, () => {
    expect(run({ objects: '--help', kernels: 'kernel.btf' }).status).not.toBe(0);
    expect(run({ objects: 'xdp_counter.bpf.o', kernels: '--help' }).status).not.toBe(0);
    const ran = run({ objects: 'xdp_counter.bpf.o', kernels: 'kernel.btf', explain: '--help' });
    expect(ran.read('summary.md')).not.toContain('usage:');
    expect(ran.out).not.toContain('usage:');
  });

  it('fails by fail-on, with the results written', { timeout: 30_000 }, () => {
    const ran = run({
      objects: 'exec_trace.bpf.o',
      kernels: 'kernel.btf',
      'fail-on': 'may-fail',
    });
    expect(ran.status).toBe(1);
    expect(ran.read('summary.md')).toContain('depends on a module');
    expect(JsonRow.parse(ran.read('out.sarif')).text('version')).toBe('2.1.0');
  });
});
