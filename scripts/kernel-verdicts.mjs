// Compares this project's verdicts on BTF with those of the running kernel: node
// scripts/kernel-verdicts.mjs [COUNT] [FIRST_SEED]. Needs root, a C compiler and Linux 6.18, whose
// rules are in src/analysis/kernel.
//
// Loads the blobs of the unit tests, then COUNT random blobs (20,000 by default) of each of four
// kinds: special fields, wrong references, layout sections, and changed blobs of testdata/validity.
// checkBtf must give the same errno, type and constant part of the last log line. Creates maps with
// value types of accepted blobs. Loads COUNT / 4 programs, some with wrong func_info or line_info: lint must
// report the kernel's error. Prints the first differences with their seeds, and ends with status 1.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importBuilt } from './import-built.mjs';
import { layoutBlob, mapsOf, mutatedBlob, wildBlob } from './kernel-verdicts/mutations.mjs';
import { loadInput, programOf } from './kernel-verdicts/programs.mjs';
import { specialFieldsBlob } from './kernel-verdicts/special-fields.mjs';
import { run } from './testdata/tools.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHOWN = 10;
const BATCH = 2000;
const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, value]) => [value, name]));
/** Errno 524 has a name only inside the kernel. */
ERRNO_NAMES.set(524, 'ENOTSUPP');

const [count = 20_000, firstSeed = 1] = process.argv.slice(2).map(Number);
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-verdicts-'));
try {
  if (!release().startsWith('6.18.'))
    console.log(`this is Linux ${release()}, the rules are of 6.18`);
  const loader = compiled('load');
  const { judge, judgeMaps, judgeProgram, brokenBlobs } = await importBuilt(
    'scripts/kernel-verdicts/check-run.mjs',
    scratch,
  );
  const seeds = acceptedBlobs();
  const compare = (sort, range) => compareSort(sort, range, loader, judge);
  const tests = { name: 'one for each rule', blob: (i) => brokenBlobs[i] };
  compare(tests, { count: brokenBlobs.length, first: 0 });
  const sorts = [
    { name: 'special fields', blob: specialFieldsBlob },
    { name: 'wild references', blob: wildBlob },
    { name: 'layout sections', blob: layoutBlob },
    { name: 'changed words', blob: (seed) => mutatedBlob(seed, seeds) },
  ];
  for (const sort of sorts) compare(sort, { count, first: firstSeed });
  compareMaps(loader, { judge, judgeMaps });
  await comparePrograms(compiled('load-program'), judgeProgram);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Compiles a C program of scripts/kernel-verdicts; returns the path of the result. */
function compiled(name) {
  const path = join(scratch, name);
  run(['cc', '-O1', '-o', path, join(ROOT, `scripts/kernel-verdicts/${name}.c`)]);
  return path;
}

/** Returns stored BTF blobs that a 6.18 kernel has accepted. */
function acceptedBlobs() {
  const unpacked = (file) =>
    run(['zstd', '-dcq', join(ROOT, `testdata/validity/${file}.zst`)], { binary: true });
  const pack = unpacked('blobs.pack');
  return JSON.parse(unpacked('validity.json'))
    .filter(({ verdict }) => verdict === 'ok')
    .map(({ pack_off: start, size }) => pack.subarray(start, start + size));
}

function compareSort({ name, blob }, { count, first }, loader, judge) {
  const tally = new Map();
  const rules = new Set();
  let different = 0;
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - done) }, (_, i) => {
      const seed = first + done + i;
      return { seed, bytes: blob(seed) };
    });
    const answers = askKernel(loader, batch);
    for (const [i, { seed, bytes }] of batch.entries()) {
      const said = answers[i];
      const kernel = judge(bytes);
      tally.set(said.errno, (tally.get(said.errno) ?? 0) + 1);
      if (kernel.verdict !== 'ok') rules.add(`${kernel.rule}\t${kernel.where}`);
      if (isSame(said, kernel)) continue;
      different++;
      if (different > SHOWN) continue;
      const file = join(tmpdir(), `kernel-verdicts-${seed}.btf`);
      writeFileSync(file, bytes);
      console.log(`${name}, seed ${seed}, ${file}`);
      console.log(`  kernel ${said.errno} [${said.typeId}] ${said.line}`);
      console.log(`  ours   ${JSON.stringify(kernel)}`);
    }
  }
  const list = [...tally].sort((a, b) => b[1] - a[1]).map(([errno, n]) => `${errno} ${n}`);
  console.log(
    `${name}: ${count} blobs (${list.join(', ')}), ${rules.size} rules, ${different} differences`,
  );
  if (different > 0) process.exitCode = 1;
}

/**
 * Creates maps for every fourth accepted blob, with value types of that blob. The errno of
 * BPF_MAP_CREATE must agree with mapFaults.
 */
function compareMaps(loader, { judge, judgeMaps }) {
  const tally = new Map();
  let different = 0;
  const blobs = count / 4;
  for (let done = 0; done < blobs; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, blobs - done) }, (_, i) => ({
      seed: firstSeed + done + i,
      bytes: specialFieldsBlob(firstSeed + done + i),
    }))
      .filter(({ bytes }) => judge(bytes).verdict === 'ok')
      .map((one) => ({ ...one, maps: mapsOf(one.bytes) }));
    const answers = askKernel(loader, batch);
    for (const [i, { seed, bytes, maps }] of batch.entries()) {
      const ours = judgeMaps(bytes, maps);
      for (const [n, map] of maps.entries()) {
        const said = answers[i].maps[n];
        tally.set(said, (tally.get(said) ?? 0) + 1);
        if (said === ours[n]) continue;
        different++;
        if (different > SHOWN) continue;
        console.log(`maps, seed ${seed}, ${JSON.stringify(map)}: kernel ${said}, ours ${ours[n]}`);
      }
    }
  }
  const list = [...tally].sort((a, b) => b[1] - a[1]).map(([errno, n]) => `${errno} ${n}`);
  console.log(`maps: ${list.join(', ')}, ${different} differences`);
  if (different > 0) process.exitCode = 1;
}

/** Loads programs. The result of BPF_PROG_LOAD must agree with lint of func_info and line_info. */
async function comparePrograms(loader, judgeProgram) {
  const tally = new Map();
  let different = 0;
  const programs = Array.from({ length: count / 4 }, (_, i) => programOf(firstSeed + i));
  const lines = answersOf(loader, Buffer.concat(programs.map(loadInput)));
  for (const [i, program] of programs.entries()) {
    const [number, line = ''] = (lines[i] ?? '').split('\t');
    const errno = errnoName(number);
    const said = errno === 'ok' ? 'ok' : `${errno} ${withoutNumbers(line)}`;
    tally.set(said, (tally.get(said) ?? 0) + 1);
    const ours = await judgeProgram(program);
    const isTold = ours.some(
      (one) =>
        one.errno === errno &&
        (line === ''
          ? one.text === 'nothing is logged'
          : withoutNumbers(line).includes(withoutNumbers(one.text))),
    );
    if (errno === 'ok' ? ours.length === 0 : isTold) continue;
    different++;
    if (different > SHOWN) continue;
    console.log(`programs, seed ${firstSeed + i}: kernel ${errno} ${line}`);
    console.log(`  ours ${JSON.stringify(ours)}`);
  }
  for (const [said, n] of [...tally].sort((a, b) => b[1] - a[1])) console.log(`  ${n} ${said}`);
  console.log(`programs: ${programs.length}, ${different} differences`);
  if (different > 0) process.exitCode = 1;
}

/** Returns a line of the log without numbers, which differ in each record. */
function withoutNumbers(line) {
  return line
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/ \([^)]*\)/g, '');
}

function answersOf(loader, input) {
  const { stdout, error } = spawnSync(loader, { input, encoding: 'latin1', maxBuffer: 2 ** 28 });
  if (error) throw error;
  return stdout.split('\n');
}

function askKernel(loader, batch) {
  const input = Buffer.concat(
    batch.flatMap(({ bytes, maps = [] }) => {
      const words = maps.flatMap((map) => [map.type, map.flags, map.key, map.value, map.size]);
      const tail = Buffer.from(Uint32Array.of(maps.length, ...words).buffer);
      return [Buffer.from(Uint32Array.of(bytes.length).buffer), bytes, tail];
    }),
  );
  return answersOf(loader, input)
    .slice(0, batch.length)
    .map((text) => {
      const [errno, named, maps, ...line] = text.split('\t');
      return {
        errno: errnoName(errno),
        maps: maps.split(' ').map(errnoName),
        typeId: named === '-' ? null : Number(named),
        line: line.join('\t'),
      };
    });
}

function errnoName(errno) {
  return errno === '0' ? 'ok' : (ERRNO_NAMES.get(Number(errno)) ?? errno);
}

/** Compares type ids. Only the lines of types and members have one; a member's line is indented. */
function isSame(said, kernel) {
  if (kernel.verdict === 'ok') return said.errno === 'ok';
  if (said.errno !== kernel.errno) return false;
  if (kernel.word === '') return kernel.typeId === null;
  const typeId = /^[\t[]/.test(said.line) ? said.typeId : null;
  return said.line.includes(kernel.word) && typeId === kernel.typeId;
}
