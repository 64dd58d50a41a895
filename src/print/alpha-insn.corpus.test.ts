/** Compares every disassembled line of the corpus's objdump texts, with its symbol. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { alphaInsnText } from './alpha-insn.ts';

const LINE = /^\s*([0-9a-f]+):\t([0-9a-f]{2}) ([0-9a-f]{2}) ([0-9a-f]{2}) ([0-9a-f]{2}) \t(.*)$/gm;

describe('Alpha text in the corpus', () => {
  const texts = readdirSync(corpusPath('ecoff')).filter((name) => name.endsWith('.objdump.txt'));

  it.skipIf(!isLargeCorpus)('is there', () => {
    expect(texts.length).toBeGreaterThan(20);
  });

  it.each(texts)('%s', (name) => {
    for (const line of readCorpusText(`ecoff/${name}`).matchAll(LINE)) {
      const [, address = '', a = '', b = '', c = '', d = '', text = ''] = line;
      const word = Number.parseInt(d + c + b + a, 16);
      // objdump prints an address with a symbol without 0x, and then the symbol.
      const symbol = / (<[^>]*>)$/.exec(text)?.[1];
      const ours = alphaInsnText(word, BigInt(`0x${address}`), (at) =>
        symbol === undefined ? `0x${at.toString(16)}` : `${at.toString(16)} ${symbol}`,
      );
      expect(`${address}: ${ours}`).toBe(`${address}: ${text}`);
    }
  });
});
