// Measures atlases: size; build time compared with reading and indexing each kernel; first
// questions from disk and over HTTP; the ten questions of docs/fleet.md compared with DuckDB; a
// thousand kernels in the page. Uses the kernels of the corpus or else small ones, and kernels
// derived from them.
import { execFile, execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { measureAtlasPage } from './atlas-page.mjs';
import { median } from './figures.mjs';
import { unpackedKernels } from './objects.mjs';
import { shown, timeProcess } from './processes.mjs';

const FLEET = fileURLToPath(new URL('../../docs/fleet.md', import.meta.url));
const MANY = 1000;
const LATENCY_MS = 50;
const MEMBER = { ask: 'member', name: 'task_struct', item: 'pid' };

const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const under = (value, goal, text, shownGoal = goal) =>
  `${text} (goal: under ${shownGoal}${value < goal ? '' : ': missed'})`;
const underMb = (bytes, goal) => under(bytes, goal, mb(bytes), mb(goal));

/** Measures everything about atlases and prints it. */
export async function measureAtlas({ app, program, scratch, runs, throttle }) {
  const { kernels, packed } = unpackedKernels(join(scratch, 'kernels'));
  const buildRun = await program('scripts/bench/atlas-run.mjs');
  const askRun = await program('scripts/bench/atlas-ask-run.mjs');
  const cli = await program('src/cli/main.ts');
  const built = (name, count, extract) => {
    const path = join(scratch, `${name}.btfatlas`);
    const words = [buildRun, path, `${count}`, extract ? '1' : '0', ...kernels];
    return { path, ...JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) };
  };
  const few = built('questions', kernels.length, false);
  const whole = built('whole', kernels.length, true);
  console.log(`\natlas of ${kernels.length} kernels\n`);
  sizeLines(few, 4e6, whole, packed / 3);
  buildLines('build, questions only', few);
  buildLines('build', whole);
  const many = { few: built('many-questions', MANY, false), whole: built('many', MANY, true) };
  console.log(`\natlas of ${many.whole.kernels} kernels\n`);
  sizeLines(many.few, 40e6, many.whole, 150e6);
  buildLines('build', many.whole);
  console.log(`memory                     ${underMb(many.whole.memory, 1e9)}`);
  console.log('\ncold questions: member task_struct.pid\n');
  for (const { path, kernels: count } of [few, many.few]) {
    await coldLines({ cli, askRun, path, count, scratch, runs });
  }
  await besideDuckDb({ cli, askRun, path: few.path, scratch, runs });
  await measureAtlasPage({ app, path: many.whole.path, count: many.whole.kernels, runs, throttle });
}

function sizeLines(few, fewGoal, whole, wholeGoal) {
  console.log(`what questions need        ${underMb(few.size, fewGoal)}`);
  console.log(`with what extract needs    ${underMb(whole.size, wholeGoal)}`);
}

function buildLines(label, { read, index, build }) {
  const ratio = build / (read + index);
  console.log(
    `${label.padEnd(25)}  ${shown(build)} ms of the processor, ${under(ratio, 1.5, `${ratio.toFixed(2)} × reading and indexing`)}`,
  );
}

async function coldLines({ cli, askRun, path, count, scratch, runs }) {
  const words = [cli, 'atlas', 'ask', path, 'member', 'task_struct.pid'];
  const times = Array.from({ length: runs }, () => ({
    ours: timeProcess(process.execPath, words, scratch),
    start: timeProcess(process.execPath, ['-e', '0'], scratch),
  }));
  const ms = median(times.map(({ ours, start }) => ours - start));
  const http = await overHttp(askRun, path);
  console.log(
    `${count} kernels, command       ${under(ms, 100, `${shown(ms)} ms without Node's start`)}`,
  );
  console.log(
    `${count} kernels, over HTTP     ${under(http.ms, 1000, `${shown(http.ms)} ms with ${LATENCY_MS} ms of latency`)}, ${http.requests} requests (goal: at most 6)`,
  );
}

/** Sends a first question to an atlas on a server that delays each request. */
async function overHttp(askRun, path) {
  const fd = openSync(path, 'r');
  const { size } = statSync(path);
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const bytes = Buffer.alloc(Number(to) - Number(from) + 1);
    readSync(fd, bytes, 0, bytes.length, Number(from));
    setTimeout(() => {
      response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${size}` });
      response.end(bytes);
    }, LATENCY_MS);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${server.address().port}/`;
    const [{ ms }] = await ask(askRun, address, [[MEMBER]]);
    return { ms, requests };
  } finally {
    server.close();
    closeSync(fd);
  }
}

async function ask(askRun, place, questions) {
  const words = [askRun, place, JSON.stringify(questions)];
  return JSON.parse((await promisify(execFile)(process.execPath, words)).stdout);
}

/** Returns the requests for each of the ten questions. The last question has a request per row. */
const asksOf = (rows) => [
  [MEMBER],
  [{ ask: 'member', name: 'task_struct', item: '__state' }],
  [{ ask: 'member', name: 'task_struct', item: 'state' }],
  [{ ask: 'struct', name: 'sk_buff', item: '' }],
  [{ ask: 'struct', name: 'file', item: '' }],
  [{ ask: 'func', name: 'bpf_task_acquire', item: '' }],
  [{ ask: 'func', name: 'vfs_read', item: '' }],
  [{ ask: 'enumerator', name: 'pid_type', item: 'PIDTYPE_SID' }],
  [{ ask: 'typedef', name: 'size_t', item: '' }],
  rows.map(({ name }) => ({ ask: 'member', name: 'task_struct', item: name })),
];

async function besideDuckDb({ cli, askRun, path, scratch, runs }) {
  const folder = join(scratch, 'fleet');
  const exported = timeProcess(
    process.execPath,
    [cli, 'atlas', 'export', path, '--parquet', folder],
    scratch,
  );
  const text = readFileSync(FLEET, 'utf8');
  const views = /\n## DuckDB\n\n```sql\n(.*?)```/s
    .exec(text)[1]
    .replaceAll("'fleet/", `'${folder}/`);
  const questions = [...text.matchAll(/\n### \d+\. ([^\n]*)\n.*?```sql\n(.*?)```/gs)];
  const took = { duckdb: questions.map(() => []), ours: questions.map(() => []) };
  for (let run = 0; run < runs; run++) {
    const database = await (await DuckDBInstance.create(':memory:')).connect();
    await database.run(views);
    let rows = [];
    for (const [i, [, , sql]] of questions.entries()) {
      const start = performance.now();
      rows = (await database.runAndReadAll(sql)).getRowObjectsJson();
      took.duckdb[i].push(performance.now() - start);
    }
    for (const [i, { ms }] of (await ask(askRun, path, asksOf(rows))).entries()) {
      took.ours[i].push(ms);
    }
  }
  console.log(
    `\nthe ten questions of docs/fleet.md, each on files opened anew, ${runs} runs, median\n`,
  );
  console.log(`export to Parquet: ${shown(exported / 1000)} s\n`);
  for (const [i, [, title]] of questions.entries()) {
    const [duckdb, ours] = [median(took.duckdb[i]), median(took.ours[i])];
    console.log(
      `${title.padEnd(72)} ours ${shown(ours).padStart(6)} ms   DuckDB ${shown(duckdb).padStart(6)} ms`,
    );
  }
}
