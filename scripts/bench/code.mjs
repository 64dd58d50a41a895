// Measures the disassembly (compared with llvm-objdump), finding the field of a byte, and frames
// while 300 MB of bytes scroll. Generates the file of 300 MB.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onBrowser } from './browser.mjs';
import { median } from './figures.mjs';
import { scrollBesideEmpty } from './measure-scroll.mjs';
import { corpusObjects, sampleObjects } from './objects.mjs';
import { installProbe } from './page-probe.mjs';
import { isInstalled, shown, timeProcess } from './processes.mjs';
import { slowDown } from './stage.mjs';

const OBJDUMP = 'llvm-objdump-19';
const SECTION_BYTES = 300 * 1024 * 1024;

/** Measures the disassembly, finding fields and scrolling, and prints the results. */
export async function measureCode(stage) {
  console.log(`\nBytes and code, ${stage.runs} runs, median\n`);
  await measureDisassembly(stage);
  await measureOwners(stage);
  await measureScrolling(stage);
}

async function measureDisassembly({ program, scratch, runs }) {
  if (!isInstalled(OBJDUMP)) {
    console.log(`disassembly: ${OBJDUMP} is not installed`);
    return;
  }
  const module = await program('scripts/bench/disasm-run.mjs');
  const sets = [{ name: 'examples', objects: sampleObjects() }];
  const corpus = corpusObjects(scratch);
  if (corpus !== null) sets.push({ name: 'objects of the corpus', objects: corpus });
  for (const { name, objects } of sets) {
    // Runs the two programs in turn, so that other load affects both alike.
    const rounds = Array.from({ length: runs }, () => ({
      theirs: timeProcess(OBJDUMP, ['-dr', ...objects], scratch),
      ours: timeProcess(process.execPath, [module, ...objects], scratch),
      work: Number(execFileSync(process.execPath, [module, '--time', ...objects])),
    }));
    const of = (key) => median(rounds.map((round) => round[key]));
    console.log(
      [
        `disassemble ${objects.length} ${name} in one process, as ${OBJDUMP} -dr`,
        `  ours ${shown(of('ours'))} ms, theirs ${shown(of('theirs'))} ms, ratio ${(of('ours') / of('theirs')).toFixed(2)}`,
        `  apart from Node's start-up ${shown(of('work'))} ms, ratio ${(of('work') / of('theirs')).toFixed(2)} (goal: at most 0.7)`,
      ].join('\n'),
    );
  }
}

async function measureOwners({ program, input }) {
  const module = await program('scripts/bench/owners-run.mjs');
  const measured = JSON.parse(
    execFileSync(process.execPath, [module, input.path], { encoding: 'utf8' }),
  );
  console.log(
    [
      `owner of a byte of ${input.from}, ${measured.count.toLocaleString('en')} random bytes`,
      `  first ${shown(measured.firstMs)} ms, then ${(1000 * measured.eachMs).toFixed(1)} µs each (goal: under 100 µs)`,
    ].join('\n'),
  );
}

async function measureScrolling({ app, scratch, runs, throttle }) {
  const path = join(scratch, 'large.o');
  writeLargeObject(path);
  const folder = await app();
  const rounds = [];
  await onBrowser(folder, async ({ browser, address }) => {
    for (let run = 0; run < runs; run++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await slowDown(devtools, throttle);
      await context.addInitScript(installProbe);
      await page.goto(address);
      await page.getByLabel('Open file').setInputFiles(path);
      await page.getByRole('tab', { name: /^Bytes/ }).click();
      await page.getByLabel('Go to offset').fill('0x8000000');
      await page.keyboard.press('Enter');
      const grid = '[role=grid][aria-multiselectable=true]';
      await page.locator(grid).getByText('8000000', { exact: false }).first().waitFor();
      rounds.push(await scrollBesideEmpty(throttle, page, devtools, grid));
      await context.close();
    }
  });
  const of = (key) => median(rounds.map((round) => round[key]));
  console.log(
    [
      `scroll a section of ${SECTION_BYTES / 1024 / 1024} MB for 3 s, ${of('frames')} frames`,
      `  dropped ${of('dropped')}, of an empty page ${of('droppedEmpty')}`,
      `  worst frame ${shown(of('worst'))} ms, of an empty page ${shown(of('worstEmpty'))} ms`,
      `  (the file: ${(statSync(path).size / 1e6).toFixed(0)} MB, read by ranges)`,
    ].join('\n'),
  );
}

/** Writes an ELF64 object with one section of `SECTION_BYTES` bytes, which vary. */
function writeLargeObject(path) {
  const DATA = 4096;
  const names = Buffer.from('\0.large\0.shstrtab\0');
  const namesAt = DATA + SECTION_BYTES;
  const headersAt = namesAt + 64;
  const head = Buffer.alloc(DATA);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  head.writeUInt16LE(1, 16);
  head.writeUInt16LE(62, 18);
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(BigInt(headersAt), 40);
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(64, 58);
  head.writeUInt16LE(3, 60);
  head.writeUInt16LE(2, 62);
  const headers = Buffer.alloc(3 * 64);
  const section = (at, name, type, offset, size) => {
    headers.writeUInt32LE(name, at);
    headers.writeUInt32LE(type, at + 4);
    headers.writeBigUInt64LE(BigInt(offset), at + 24);
    headers.writeBigUInt64LE(BigInt(size), at + 32);
    headers.writeBigUInt64LE(1n, at + 48);
  };
  section(64, 1, 1, DATA, SECTION_BYTES);
  section(128, 8, 3, namesAt, names.length);
  const fd = openSync(path, 'w');
  writeSync(fd, head, 0, head.length, 0);
  const piece = Buffer.from(
    Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 2_654_435_761) >>> 13),
  );
  for (let at = 0; at < SECTION_BYTES; at += piece.length) {
    writeSync(fd, piece, 0, piece.length, DATA + at);
  }
  writeSync(fd, names, 0, names.length, namesAt);
  writeSync(fd, headers, 0, headers.length, headersAt);
  closeSync(fd);
}
