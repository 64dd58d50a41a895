/** Compares the rows of every code section of the corpus with llvm-objdump's output. */
import { describe, expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { atLeast, corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openObject } from '#testing/open-model.ts';
import { codeListing, type ListingRow } from './code-listing.ts';

/** First words of each line by offset: `insn 3`, `<name>`, `28 CO-RE <byte_off> [2]`. */
type Lines = ReadonlyMap<string, readonly string[]>;

function printedLines(listing: string): Lines {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const text of listing.split('\n')) {
    const section = /^Disassembly of section (.*):$/.exec(text)?.[1];
    // llvm-objdump prints labels of jump targets as headings; the listing omits the labels.
    const name = /^[0-9a-f]{16} <(?!LBB\d+_\d+>)(.*)>:$/.exec(text)?.[1];
    const insn = /^ *(\d+):\t/.exec(text)?.[1];
    const reloc = /^\t\t0*([0-9a-f]+): {2}(R_BPF_\w+)\t(.*)$/.exec(text);
    const core = /^\t\t0*([0-9a-f]+): {2}CO-RE (<\w+> \[\d+\])/.exec(text);
    if (section !== undefined) {
      lines = [];
      sections.set(section, lines);
    } else if (name !== undefined) lines.push(`<${name}>`);
    else if (insn !== undefined) lines.push(`insn ${insn}`);
    else if (reloc !== null) lines.push(`${reloc[1]} ${reloc[2]} ${reloc[3]}`);
    else if (core !== null) lines.push(`${core[1]} CO-RE ${core[2]}`);
  }
  return sections;
}

function ourLine(model: ObjectModel, row: ListingRow): string | null {
  switch (row.kind) {
    case 'function':
      return `<${row.func.name}>`;
    case 'insn':
    case 'word':
      return `insn ${row.insnIndex}`;
    case 'source':
      return null;
    case 'relocation': {
      const { typeName, symbolText } = relocationMeaning(model, row.reloc);
      return `${relocationOffset(model, row.reloc).toString(16)} ${typeName} ${symbolText}`;
    }
    case 'core': {
      const { insnOff, kindName, root } = coreRecord(model, row.core);
      return `${insnOff.toString(16)} CO-RE <${kindName}> [${root}]`;
    }
  }
}

function ourLines(model: ObjectModel, section: SectionIndex, bytes: Uint8Array): string[] {
  const listing = codeListing(model, section, bytes);
  const lines: string[] = [];
  for (let i = 0; i < listing.count; i++) {
    const row = listing.rowAt(i);
    const line = row && ourLine(model, row);
    if (line !== null) lines.push(line);
  }
  return lines;
}

describe('codeListing on the corpus', () => {
  it('has the functions, instructions and relocations of llvm-objdump, in its order', async () => {
    let compared = 0;
    for (const object of corpusObjects()) {
      const golden = goldenOf(object.id, 'objdump.txt');
      if (golden === null || golden.rc !== 0) continue;
      const { model, source } = await openObject(object.name, readCorpusFile(object));
      if (!isBpf(model)) continue;
      const printed = printedLines(golden.text);
      for (let i = 1; i < model.sections.count; i++) {
        const section = sectionIndex(i);
        const name = sectionName(model.sections, section);
        const expected = printed.get(name);
        if (!isCode(model.sections, section) || expected === undefined) continue;
        const start = model.sections.fileOffset[i] ?? 0;
        const bytes = await source.read(start, start + (model.sections.byteLength[i] ?? 0));
        expect(ourLines(model, section, bytes), `${object.id} ${name}`).toEqual(expected);
        compared += expected.length;
      }
    }
    expect(compared).toBeGreaterThan(atLeast({ large: 100_000, testdata: 5000 }));
  }, 300_000);
});
