import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { openModel } from '#testing/open-model.ts';
import { alphaBranchTarget, alphaInsnText, wordTextAt } from './alpha-insn.ts';

const OBJDUMP = 'alpha-linux-gnu-objdump';

/** Returns objdump's text of each word. The first word is at address 0. */
function objdumpTexts(words: Uint32Array): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'alpha-insn-'));
  try {
    const file = join(folder, 'words.bin');
    writeFileSync(file, new Uint8Array(words.buffer));
    const args = ['-D', '-z', '-b', 'binary', '-m', 'alpha', file];
    const output = execFileSync(OBJDUMP, args, { maxBuffer: 1 << 28 }).toString('latin1');
    return [...output.matchAll(/^\s*[0-9a-f]+:\t(?:[0-9a-f]{2} ){4}\t(.*)$/gm)].map(
      (line) => line[1] ?? '',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isInstalled = (() => {
  try {
    return execFileSync(OBJDUMP, ['--version']).length > 0;
  } catch {
    return false;
  }
})();

/** Yields pseudo-random 32-bit numbers (xorshift). A seed always gives the same numbers. */
function* randomWords(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

function take(count: number, words: Generator<number>): Uint32Array {
  return Uint32Array.from({ length: count }, () => words.next().value);
}

function differences(words: Uint32Array): readonly string[] {
  const expected = objdumpTexts(words);
  expect(expected).toHaveLength(words.length);
  const wrong: string[] = [];
  for (const [i, word] of words.entries()) {
    const ours = alphaInsnText(word, BigInt(i * 4));
    if (ours !== expected[i]) wrong.push(`${word.toString(16)}: ${ours} != ${expected[i]}`);
  }
  return wrong.slice(0, 20);
}

describe('the text of an Alpha instruction', () => {
  // Instruction words and texts from the relocation document, chapter 4.3.4.
  it.each([
    [0x27bb0001, 'ldah\tgp,1(t12)'],
    [0x23bd8040, 'lda\tgp,-32704(gp)'],
    [0xa77d8068, 'ldq\tt12,-32664(gp)'],
    [0x2ffe0000, 'unop\t'],
    [0x47ff041f, 'nop\t'],
    [0x47ff0400, 'clr\tv0'],
    [0x47e0f400, 'mov\t0x7,v0'],
    [0x40430120, 'subl\tt1,t2,v0'],
    [0x6bfa8001, 'ret'],
    [0x6be10000, 'jmp\t(t0)'],
    [0x6b5b4000, 'jsr\tra,(t12),0x1004'],
    [0xd3400007, 'bsr\tra,0x1020'],
    [0xc3ffffff, 'br\t0x1000'],
    [0x0000009e, 'rduniq'],
    [0x00000000, 'halt'],
    [0x5a201401, 'addt\t$f17,$f0,$f1'],
    [0x04000000, '.long 0x4000000'],
  ])('%s is %s', (word, text) => {
    expect(alphaInsnText(word, 0x1000n)).toBe(text);
  });

  it('gives a text and a target within 64 bits for every word at every address', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.bigInt(0n, 0xffffffffffffffffn), (word, address) => {
        expect(alphaInsnText(word, address)).toMatch(/^[.a-z]/);
        const target = alphaBranchTarget(word, address);
        expect(target === null || target === BigInt.asUintN(64, target)).toBe(true);
      }),
    );
  });

  it.skipIf(!isInstalled)('is what objdump prints for 60,000 random words', () => {
    expect(differences(take(60_000, randomWords(0x2545f491)))).toEqual([]);
  });

  it.skipIf(!isInstalled)('is what objdump prints for every function of every operate', () => {
    const words: number[] = [];
    for (const opcode of [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x1c]) {
      for (let fn = 0; fn < 2048; fn++) {
        for (const registers of [0x0022, 0x03ff, 0x03e2, 0x003f, 0x0021]) {
          for (const rc of [3, 31])
            words.push(((opcode << 26) | (registers << 16) | (fn << 5) | rc) >>> 0);
        }
      }
    }
    expect(differences(Uint32Array.from(words))).toEqual([]);
  });

  it.skipIf(!isInstalled)('is what objdump prints where a field is at its limit', () => {
    const words: number[] = [];
    for (let opcode = 0; opcode < 64; opcode++) {
      for (const ra of [0, 26, 31]) {
        for (const rb of [0, 26, 31]) {
          for (const low of [
            0, 1, 0x3fff, 0x4000, 0x8000, 0x8001, 0xc000, 0xe800, 0xf800, 0xffff,
          ]) {
            words.push(((opcode << 26) | (ra << 21) | (rb << 16) | low) >>> 0);
          }
        }
      }
    }
    for (let fn = 0; fn < 0x10000; fn++)
      words.push(((0x18 << 26) | (31 << 21) | (2 << 16) | fn) >>> 0);
    for (let fn = 0; fn < 0x200; fn++) words.push(fn);
    expect(differences(Uint32Array.from(words))).toEqual([]);
  });
});

it('writes a word at the addresses of a layout', async () => {
  const model = await openModel(
    'a.ecoff',
    ecoffObject({
      externals: [{ name: 'placed', value: 0x1008, sc: 1, st: 6 }],
      sections: [
        { name: '.text', flags: STYP.text, vaddr: 0x1000, data: words(0xc0200001, 0, 0, 0) },
      ],
    }),
  );
  const text = sectionIndex(1);
  expect(wordTextAt(model, text, 0, 0xc0200001)).toBe('br t0,1008 <placed>');
  expect(wordTextAt(model, text, 0, 0xc0200001, new Map([['.text', 0x120001000n]]))).toBe(
    'br t0,120001008 <placed>',
  );
});
