// Compares this project's verdicts with those of libbpf: node scripts/libbpf-verdicts.mjs
// [--libbpf PREFIX] [--count COUNT] [--seed FIRST]. Needs a C compiler and libbpf 1.8, whose rules
// are in src/analysis/libbpf. PREFIX is a folder with include/bpf and libbpf.a in one of its folders.
//
// Makes COUNT inputs (20,000 by default) of each kind: changed .BTF.ext of the samples, BTF with a
// layout section, split BTF on a random base, and wild references. libbpf and the project must give
// the same errno and log line, and for BTF that libbpf accepts the same kinds, names and sizes.
// Prints the first differences with their seeds, and ends with status 1. Prints why and ends with
// status 0 where libbpf is missing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileLoader } from './compile-loader.mjs';
import { importBuilt } from './import-built.mjs';
import { Dice } from './kernel-verdicts/blob.mjs';
import { layoutBlob, splitBlob, wildBlob } from './kernel-verdicts/mutations.mjs';
import { changedExt } from './libbpf-verdicts/ext-blobs.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHOWN = 10;
const BATCH = 2000;
const BASES = 50;
const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, value]) => [value, name]));
/** The number of ENOTSUP, too. */
ERRNO_NAMES.set(constants.errno.EOPNOTSUPP, 'EOPNOTSUPP');

const { values } = parseArgs({
  options: {
    libbpf: { type: 'string' },
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
});
const [count, firstSeed] = [Number(values.count), Number(values.seed)];
const scratch = mkdtempSync(join(tmpdir(), 'btfscope-libbpf-verdicts-'));

async function main() {
  const loader = join(scratch, 'verdicts');
  const hindrance = compileLoader(
    join(ROOT, 'scripts/libbpf-verdicts/verdicts.c'),
    loader,
    values.libbpf,
  );
  if (hindrance !== null) {
    console.log(`nothing is compared: ${hindrance}`);
    return;
  }
  const ours = await importBuilt('scripts/libbpf-verdicts/check-run.mjs', scratch);
  const exts = await extsOfSamples(ours);
  const bases = await basesOf(ours, loader);
  const onBase = (seed) => {
    const base = new Dice(seed ^ 0x5ba5e).of(bases);
    return { bytes: splitBlob(seed, base), base };
  };
  const alone = (bytes) => ({ bytes, base: null });
  const judgeBtf = ({ bytes, base }) => ours.judgeBtf(bytes, base?.table ?? null);
  const sorts = [
    {
      name: '.BTF.ext',
      isExt: true,
      input: (seed) => alone(changedExt(seed, exts)),
      judge: ({ bytes }) => ours.judgeExt(bytes),
    },
    { name: 'layout sections', input: (seed) => alone(layoutBlob(seed)), judge: judgeBtf },
    { name: 'split BTF', input: onBase, judge: judgeBtf },
    { name: 'wild references', input: (seed) => alone(wildBlob(seed)), judge: judgeBtf },
  ];
  for (const sort of sorts) await compareSort(sort, loader);
}

/** Returns the .BTF.ext sections of the samples. */
async function extsOfSamples({ extOf }) {
  const folder = join(ROOT, 'public/samples');
  const objects = readdirSync(folder).filter((name) => name.endsWith('.bpf.o'));
  return (await Promise.all(objects.map((name) => extOf(readFileSync(join(folder, name)))))).flat();
}

/** Returns random BTF that libbpf and the reader accept, as bases. */
async function basesOf({ judgeBtf, openBase }, loader) {
  const inputs = Array.from({ length: 40 * BASES }, (_, i) => wildBlob(-1 - i));
  const answers = askLibbpf(
    loader,
    inputs.map((bytes) => ({ bytes, base: null })),
  );
  const bases = [];
  for (const [i, bytes] of inputs.entries()) {
    if (answers[i].errno !== 'ok' || bases.length >= BASES) continue;
    const { unread } = await judgeBtf(bytes, null);
    if (unread !== undefined) continue;
    const types = await openBase(bytes);
    bases.push({ bytes, table: types, types: types.count, strings: bytes.readUInt32LE(20) });
  }
  return bases;
}

async function compareSort({ name, isExt = false, input, judge }, loader) {
  const tally = new Map();
  let different = 0;
  for (let done = 0; done < count; done += BATCH) {
    const length = Math.min(BATCH, count - done);
    const batch = Array.from({ length }, (_, i) => input(firstSeed + done + i));
    const answers = askLibbpf(loader, batch, isExt);
    for (const [i, each] of batch.entries()) {
      const said = answers[i];
      const ours = await judge(each);
      tally.set(said.errno, (tally.get(said.errno) ?? 0) + 1);
      if (isSame(said, ours)) continue;
      different++;
      if (different > SHOWN) continue;
      const seed = firstSeed + done + i;
      const file = join(tmpdir(), `libbpf-verdicts-${seed}`);
      writeFileSync(file, each.bytes);
      if (each.base !== null) writeFileSync(`${file}.base`, each.base.bytes);
      console.log(`${name}, seed ${seed}, ${file}`);
      console.log(`  libbpf ${JSON.stringify(said)}`);
      console.log(`  ours   ${JSON.stringify(ours)}`);
    }
  }
  const list = [...tally].sort((a, b) => b[1] - a[1]).map(([errno, n]) => `${errno} ${n}`);
  console.log(`${name}: ${count} inputs (${list.join(', ')}), ${different} differences`);
  if (different > 0) process.exitCode = 1;
}

function isSame(said, ours) {
  if (said.errno !== ours.errno.replace(/^ENOTSUP$/, 'EOPNOTSUPP')) return false;
  if (said.errno !== 'ok') return ours.line === undefined || ours.line === said.line;
  return ours.hash === undefined
    ? ours.unread === undefined
    : ours.count === said.count && ours.hash === said.hash;
}

function askLibbpf(loader, batch, isExt = false) {
  const word = (value) => Buffer.from(Uint32Array.of(value).buffer);
  const sized = (bytes) => [word(bytes.length), bytes];
  const none = Buffer.alloc(0);
  const input = Buffer.concat(
    batch.flatMap(({ bytes, base }) => [
      word(isExt ? 1 : 0),
      ...sized(base?.bytes ?? none),
      ...sized(bytes),
    ]),
  );
  const { stdout, error, signal } = spawnSync(loader, {
    input,
    encoding: 'latin1',
    maxBuffer: 2 ** 28,
  });
  if (error ?? signal) throw error ?? new Error(`libbpf ended with ${signal}`);
  return stdout
    .split('\n')
    .slice(0, batch.length)
    .map((text) => {
      const [errno, line, types, hash] = text.split('\t');
      const name = errno === '0' ? 'ok' : (ERRNO_NAMES.get(Number(errno)) ?? errno);
      return {
        errno: name,
        line: line.replace('libbpf: ', ''),
        count: Number(types),
        hash: Number(hash),
      };
    });
}

await main().finally(() => rmSync(scratch, { recursive: true, force: true }));
