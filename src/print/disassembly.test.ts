/** Compares complete listings of real and unusual objects with those of `llvm-objdump -dr`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { i16, i32, u8 } from '#testing/assemble.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { elfObject } from '#testing/elf-object.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { disassembly } from './disassembly.ts';

/** Options for processes: listings may exceed Node's default limit of a megabyte. */
const TEXT = { encoding: 'utf8', maxBuffer: 1 << 28 } as const;

/** Values for the `off` and `imm` fields of instructions. */
const NUMBERS = [
  [0, 0],
  [-1, -1],
  [0x7fff, 0x7fffffff],
  [-0x8000, -0x80000000],
] as const;

const hasTools = ['clang-19', 'llvm-objdump-19'].every((tool) => {
  return spawnSync(tool, ['--version']).status === 0;
});

/** Returns this project's listing without its first line, which contains the path. */
async function ours(
  name: string,
  bytes: Uint8Array,
  raw: boolean,
  decimal = false,
): Promise<string> {
  const { model, source } = await openObject(name, bytes);
  const options = { path: name, raw, lines: false, decimal };
  const lines: string[] = [];
  for await (const batch of disassembly(model, source, options)) lines.push(...batch);
  return lines
    .slice(2)
    .map((line) => `${line}\n`)
    .join('');
}

const withoutHead = (text: string) => text.replace(/^\n.*\n/, '');

it('reads SBPF, of Solana programs, as BPF', async () => {
  const bpf = sampleBytes('xdp_counter.bpf.o');
  const sbpf = bpf.slice();
  // e_machine is 247 for EM_BPF and 263 for EM_SBPF.
  new DataView(sbpf.buffer).setUint16(18, 263, true);
  // Omit relocations: the names of their types depend on the machine.
  const insns = (text: string) => text.split('\n').filter((line) => !/\tR_|\tUnknown/.test(line));
  const text = insns(await ours('a.so', sbpf, true));
  expect(text.filter((line) => /^ +\d+:\t/.test(line)).length).toBeGreaterThan(10);
  expect(text).toEqual(insns(await ours('a.so', bpf, true)));
  const { model } = await openObject('a.so', sbpf);
  expect(model.issues).toMatchObject([{ severity: 'note', code: 'elf.sbpf' }]);
});

describe('disassembly on the corpus', () => {
  it.each([
    ['objdump.txt', false],
    ['objdump-raw.txt', true],
  ] as const)(
    'equals %s of every object',
    async (golden, raw) => {
      let compared = 0;
      for (const object of corpusObjects()) {
        const theirs = goldenOf(object.id, golden);
        if (theirs === null || theirs.rc !== 0) continue;
        const text = await ours(object.name, readCorpusFile(object), raw);
        expect(text, object.id).toBe(withoutHead(theirs.text));
        compared++;
      }
      expect(compared).toBeGreaterThan(50);
    },
    60_000,
  );
});

/** Code without a symbol, jumps outside, data in code, symbols at one place, zeros, cut insns. */
const ODD = `
.section head,"ax",@progbits
r0 = 1
f2:
goto -3
goto +100
.byte 1, 2, 3
.section names,"ax",@progbits
.type x,@object
x:
.quad 0, 0, 0x1122334455667788
.byte 9
.fill 7
.type bz,@object
.global bz
bz:
.type aa,@function
aa:
cc:
r0 = 1
.fill 10
.section inside,"ax",@progbits
.fill 10
r0 = 1
q:
.fill 4
r0 = 1
r1 = 7 ll
.fill 20
.section calls,"ax",@progbits
.global g
.type g,@function
g:
call g
r2 = g ll
.fill 16
exit
.fill 16
`;

describe.skipIf(!hasTools)('disassembly against the installed tool', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-odd-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  function theirs(file: string, raw: boolean): string {
    const flags = raw ? ['-dr'] : ['-dr', '--no-show-raw-insn'];
    return withoutHead(execFileSync('llvm-objdump-19', [...flags, file], TEXT));
  }

  it.each(['bpf', 'bpfeb'])('equals it on odd assembly for %s', async (target) => {
    const source = join(scratch, 'odd.s');
    const object = join(scratch, `${target}.o`);
    writeFileSync(source, ODD);
    execFileSync('clang-19', ['-target', target, '-c', source, '-o', object]);
    const bytes = new Uint8Array(readFileSync(object));
    expect(await ours('odd.o', bytes, true)).toBe(theirs(object, true));
    expect(await ours('odd.o', bytes, false)).toBe(theirs(object, false));
  });

  /** Runs llvm-objdump once for all files: starting it takes longer than listing an object. */
  function theirsOfAll(files: readonly string[], ...flags: readonly string[]): string[] {
    const text = execFileSync('llvm-objdump-19', ['-dr', ...flags, ...files], TEXT);
    const starts = files.map((file) => text.indexOf(`\n${file}:\tfile format `));
    return starts.map((start, i) => withoutHead(text.slice(start, starts[i + 1])));
  }

  it('equals --print-imm-hex=false on every opcode and on every object of the corpus', async () => {
    const opcodes = Array.from({ length: 4 * 256 }, (_, i) => {
      const [off, imm] = NUMBERS[i >> 8] ?? [0, 0];
      return [u8(i & 0xff), u8(i & 0xff), i16(off), i32(imm)];
    });
    const every = elfObject({ sections: [{ name: '.text', flags: 6, data: opcodes.flat() }] });
    const objects = [
      { id: 'every opcode', bytes: every.bytes },
      ...corpusObjects().map((object) => ({ id: object.id, bytes: readCorpusFile(object) })),
    ];
    // The tool uses the byte order of the first file (EI_DATA, byte 5) for all files.
    for (const isBigEndian of [false, true]) {
      const selected = objects.filter(({ bytes }) => (bytes[5] === 2) === isBigEndian);
      const files = selected.map(({ bytes }, i) => {
        const file = join(scratch, `${isBigEndian ? 'bpfeb' : 'bpf'}-${i}.o`);
        writeFileSync(file, bytes);
        return file;
      });
      const listings = theirsOfAll(files, '--print-imm-hex=false');
      for (const [i, { id, bytes }] of selected.entries()) {
        expect(await ours('decimal.o', bytes, true, true), id).toBe(listings[i]);
      }
    }
  }, 300_000);

  it.each(
    ['xdp_counter', 'exec_trace', 'doc_core', 'cpu_v4', 'layout', 'bitfields', 'externs'].flatMap(
      (name) => [`${name}.bpf.o`, `${name}.be.bpf.o`],
    ),
  )('equals it on the example %s', async (name) => {
    const bytes = sampleBytes(name);
    const file = join(scratch, name);
    writeFileSync(file, bytes);
    expect(await ours(name, bytes, true)).toBe(theirs(file, true));
  });
});

/** `r0 = 0x0`, `if r0 == 0x0 goto +0x1`, `r0 = 0x1`, `exit`. */
const BRANCH = Uint8Array.of(
  ...[0xb7, 0, 0, 0, 0, 0, 0, 0, 0x15, 0, 1, 0, 0, 0, 0, 0],
  ...[0xb7, 0, 0, 0, 1, 0, 0, 0, 0x95, 0, 0, 0, 0, 0, 0, 0],
);

/** Sets `sh_addr` of sections and `e_type`; moves the symbols of a file that is not relocatable. */
function placed(bytes: Uint8Array, eType: number, addresses: Readonly<Record<number, bigint>>) {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const headers = Number(view.getBigUint64(40, true));
  const headerAt = (index: number) => headers + 64 * index;
  view.setUint16(16, eType, true);
  for (const [index, address] of Object.entries(addresses)) {
    view.setBigUint64(headerAt(Number(index)) + 16, address, true);
  }
  for (let i = 0; eType !== 1 && i < view.getUint16(60, true); i++) {
    if (view.getUint32(headerAt(i) + 4, true) !== 2) continue;
    const start = Number(view.getBigUint64(headerAt(i) + 24, true));
    const size = Number(view.getBigUint64(headerAt(i) + 32, true));
    for (let at = start; at < start + size; at += 24) {
      const address = addresses[view.getUint16(at + 6, true)];
      const value = view.getBigUint64(at + 8, true);
      if (address !== undefined) view.setBigUint64(at + 8, value + address, true);
    }
  }
  return copy;
}

describe('addresses of sections', () => {
  const { bytes } = elfObject({
    sections: [
      { name: '.text', flags: 6, data: BRANCH },
      { name: 'xdp', flags: 6, data: BRANCH },
    ],
    symbols: [
      { name: 'f', type: 2, size: 32, shndx: '.text' },
      { name: 'g', type: 2, size: 32, shndx: 'xdp' },
    ],
  });
  const cases = [1, 2].flatMap((eType) =>
    [0n, 0x1000n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 64n, 2n ** 64n - 32n, 2n ** 64n - 8n].map(
      (address) => ({ eType, address }),
    ),
  );

  it.skipIf(!hasTools)('are those of llvm-objdump', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
    for (const { eType, address } of cases) {
      const path = join(folder, 'a.o');
      const file = placed(bytes, eType, { 1: 2n ** 53n + 1n, 2: address });
      writeFileSync(path, file);
      const theirs = execFileSync('llvm-objdump-19', ['-dr', path], TEXT);
      expect(await ours(path, file, true)).toBe(withoutHead(theirs));
    }
    rmSync(folder, { recursive: true });
  });

  it('are exact above 2^53', async () => {
    const text = await ours('a.o', placed(bytes, 2, { 2: 2n ** 64n - 64n }), true);
    expect(text).toContain('ffffffffffffffc0 <g>:\n2305843009213693944:\tb7 ');
    expect(text).toContain('2305843009213693945:\t15 00 01 00');
    expect(text).toContain('<g+0x18>');
  });
});
