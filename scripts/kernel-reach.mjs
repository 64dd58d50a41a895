// Loads the programs of testdata/reach/branches-*.o on the running kernel, and writes what it says
// to testdata/src/reach/branches.tsv: node scripts/kernel-reach.mjs. Needs root, a C compiler and
// libbpf. A unit test compares the table with this project's verdicts.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './testdata/tools.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'testdata/reach');
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-reach-'));
try {
  const loader = join(scratch, 'load');
  const libraries = ['-lbpf', '-lelf', '-lz'];
  run(['cc', '-O1', '-o', loader, join(ROOT, 'scripts/kernel-reach/load.c'), ...libraries]);
  const files = readdirSync(FOLDER).filter((name) => name.startsWith('branches-'));
  const answers = new Map();
  for (const file of files) {
    const object = join(scratch, file.replace(/\.zst$/, ''));
    run(['zstd', '-dqf', join(FOLDER, file), '-o', object]);
    for (const line of String(run([loader, object]))
      .trim()
      .split('\n')) {
      const [program, answer] = line.split('\t');
      answers.set(program, [...(answers.get(program) ?? []), answer]);
    }
  }
  const builds = files.map((file) => file.replace(/^branches-|\.o\.zst$/g, ''));
  const rows = [...answers].map(([program, row]) => [program, ...row].join('\t'));
  const table = [['program', ...builds].join('\t'), ...rows].join('\n');
  writeFileSync(join(ROOT, 'testdata/src/reach/branches.tsv'), `${table}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
