// Makes modules of a random kernel, and merges their types with libbpf's btf__dedup.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelText, mutated, randomModel, variablesText } from './random-c.mjs';
import { run } from './tools.mjs';

const CASES = 16;
/** Number of changes to the shared types, by module. */
const CHANGES = [0, 2, 0, 6];
const HOST = [
  '--target=x86_64-linux-gnu',
  '-ffreestanding',
  '-gdwarf-4',
  '-O1',
  '-fno-inline',
  '-w',
];

/** Types that one module defines and the other modules only declare. */
const OWN = [
  `struct peer;
struct link { struct peer *peer; struct link *next; };
typedef struct link link_t;
enum mode;
int first_call(struct peer *p, link_t *l, enum mode *m) { return p && l->next && m; }`,
  `enum mode { ONE, TWO };
struct peer { int id; struct link *links; enum mode mode; };
struct link;
int second_call(struct peer *p, struct link *l) { return p->id + (l != 0); }`,
  `struct peer { int id; struct link *links; long other; };
struct link { struct peer *peer; struct link *next; };
typedef struct link link_t;
int third_call(const struct peer *p, volatile link_t *l) { return p->id + (l != 0); }`,
  `union peer;
struct ring { struct ring *self; union peer *peer; int (*call)(struct ring *, char[4]); };
int fourth_call(struct ring *r, union peer *p) { return r->self && p; }`,
];

/** Writes a row per case: base and modules in base64, and bpftool's output for the merged types. */
export function writeMerges(work, output) {
  mkdirSync(join(work, 'merges'), { recursive: true });
  const oracle = join(work, 'merge-oracle');
  const source = join(import.meta.dirname, 'merge-oracle.c');
  const libraries = ['-Wl,-Bstatic', '-lbpf', '-Wl,-Bdynamic', '-lelf', '-lz'];
  run(['gcc', '-O1', '-Wall', '-o', oracle, source, ...libraries]);
  const rows = Array.from({ length: CASES }, (_, i) => mergedCase(work, oracle, i + 1));
  output.writeRows('merges.jsonl.zst', rows, 'scripts/testdata/merges.mjs');
  return rows.length;
}

function mergedCase(work, oracle, seed) {
  const name = (part) => `merges/${seed}-${part}.btf`;
  const kernel = randomModel(7000 + seed, { structs: 5, prefix: 'k_' });
  const shared = randomModel(8000 + seed, { structs: 4 + (seed % 5) });
  const kernelText = `${modelText(kernel)}${variablesText(kernel)}`;
  encode(work, name('base'), kernelText, []);
  const files = OWN.slice(0, 2 + (seed % 3)).map((own, n) => {
    const { model } = mutated(shared, 10 * seed + n, CHANGES[n]);
    const text = [modelText(kernel), modelText(model), variablesText(model), own].join('\n');
    encode(work, name(n), text, [`--btf_base=${name('base')}`]);
    return name(n);
  });
  run([oracle, name('base'), name('merged'), ...files], { cwd: work });
  const text = run(['bpftool', '-B', name('base'), 'btf', 'dump', 'file', name('merged')], {
    cwd: work,
  });
  const bytes = (file) => readFileSync(join(work, file)).toString('base64');
  return { id: String(seed), base: bytes(name('base')), files: files.map(bytes), text };
}

function encode(work, btf, text, options) {
  const source = btf.replace(/btf$/, 'c');
  const object = btf.replace(/btf$/, 'o');
  writeFileSync(join(work, source), text);
  const all = '-fno-eliminate-unused-debug-types';
  run(['clang-19', ...HOST, all, '-c', source, '-o', object], { cwd: work });
  run(['pahole', '-J', ...options, `--btf_encode_detached=${btf}`, object], { cwd: work });
}
