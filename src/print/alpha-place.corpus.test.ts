/**
 * Compares the targets of instructions with objdump's. Local symbols, which objdump also prints,
 * are not compared.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ecoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { sectionIndex } from '#model/ids.ts';
import { corpusPath, readCorpusText } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { alphaTextAt } from './alpha-insn.ts';

const names = readdirSync(corpusPath('ecoff'))
  .filter((file) => file.endsWith('.o') && !file.startsWith('z') && !file.startsWith('x'))
  .map((file) => file.replace('.o', ''));

/** Returns objdump's texts by section and address; empty if objdump skips the file. */
function objdumpTexts(name: string): Map<string, string> {
  const texts = new Map<string, string>();
  let section = '';
  for (const line of readCorpusText(`ecoff/${name}.objdump.txt`).split('\n')) {
    section = /^Disassembly of section (.*):$/.exec(line)?.[1] ?? section;
    const match = /^\s*([0-9a-f]+):\t(?:[0-9a-f]{2} ){4}\t(.*)$/.exec(line);
    if (match) texts.set(`${section} ${match[1]}`, (match[2] ?? '').replace('\t', ' ').trimEnd());
  }
  return texts;
}

/** Removes the symbol after the address of a target: `bsr ra,28`. */
function withoutSymbol(text: string): string {
  return text.replace(/ <[^>]*>$/, '').replace(/0x([0-9a-f]+)$/, '$1');
}

describe('instructions of the corpus at their addresses', () => {
  it.each(names)('%s', async (name) => {
    const bytes = new Uint8Array(readFileSync(corpusPath(`ecoff/${name}.o`)));
    const model = await openModel(name, bytes);
    const file = ecoffFile(model);
    if (file === null) throw new Error('no eCOFF');
    const texts = objdumpTexts(name);
    for (const section of file.sections) {
      const raw = rawDataOf(file, section);
      const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
      for (let at = 0; at + 4 <= raw.length; at += 4) {
        const address = (section.sVaddr + BigInt(at)).toString(16);
        const theirs = texts.get(`${section.name} ${address}`);
        if (theirs === undefined) continue;
        const ours = alphaTextAt(
          model,
          sectionIndex(section.index + 1),
          at,
          view.getUint32(at, true),
        );
        const hasSymbol = / <[^>]*>$/.test(theirs);
        expect([address, hasSymbol ? withoutSymbol(ours) : ours]).toEqual([
          address,
          hasSymbol ? withoutSymbol(theirs) : theirs,
        ]);
      }
    }
  });
});
