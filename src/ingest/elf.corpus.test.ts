/** Compares sections, symbols and relocations of objects with `llvm-readelf -S -s -r -W`. */
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import {
  reservedSectionName,
  symbolBindingName,
  symbolTypeName,
  symbolVisibilityName,
} from '#formats/elf/constants.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import { type SymbolIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { type ElfParts, ingestElf } from './elf.ts';

const objects = corpusObjects();

describe('objects of the corpus', () => {
  it('is there', () => {
    expect(objects.length).toBeGreaterThan(100);
  });

  it.each(objects.map((object) => [object.id, object] as const))('%s', async (_id, object) => {
    const golden = goldenOf(object.id, 'readelf.txt');
    expect(golden?.rc).toBe(0);
    const parts = await ingestElf(bufferSource(object.name, readCorpusFile(object)), []);
    const lines = (golden?.text ?? '').split('\n').map(squeeze);
    expect(sectionLines(parts)).toEqual(lines.filter((line) => /^\[\d+\] /.test(line)));
    expect(symbolLines(parts)).toEqual(lines.filter((line) => /^\d+: /.test(line)));
    expect(relocationLines(parts)).toEqual(lines.filter(isRelocation));
    expect(parts.relocations.addendSource).not.toContain(AddendSource.explicit);
  });
});

const isRelocation = (line: string) => /^[0-9a-f]{16} [0-9a-f]{16} (R_BPF_|Unknown)/.test(line);

/** Returns a line without the padding of its columns. */
function squeeze(line: string): string {
  return line
    .replace(/\s+/g, ' ')
    .replace(/^ ?\[ (\d)/, '[$1')
    .trim();
}

const hex = (value: bigint | undefined, digits: number) =>
  (value ?? 0n).toString(16).padStart(digits, '0');

function sectionLines({ sections: s, machine }: ElfParts): string[] {
  const lines: string[] = [];
  const eMachine = machine?.number ?? 0;
  for (let i = 0; i < s.count; i++) {
    const cells = [
      `[${i}]`,
      sectionName(s, sectionIndex(i)),
      sectionTypeName(s.type[i] ?? 0, eMachine),
      hex(s.addr[i], 16),
      hex(s.declaredOffset[i], 6),
      hex(s.declaredSize[i], 6),
      hex(s.entsize[i], 2),
      sectionFlagLetters(s.flags[i] ?? 0n, eMachine),
      s.link[i],
      s.info[i],
      s.addralign[i],
    ];
    lines.push(squeeze(cells.join(' ')));
  }
  return lines;
}

function symbolLines(parts: ElfParts): string[] {
  const { symbols: s } = parts;
  const lines: string[] = [];
  for (let i = 0; i < s.count; i++) {
    const row = symbolIndex(i);
    const cells = [
      `${s.indexInTable[i]}:`,
      hex(s.value[i], 16),
      s.size[i],
      symbolTypeName(symbolType(s, row)),
      symbolBindingName(symbolBinding(s, row)),
      symbolVisibilityName(s.other[i] ?? 0),
      reservedSectionName(s.shndx[i] ?? 0) ?? s.section[i],
      symbolLabel(parts, row),
    ];
    lines.push(squeeze(cells.join(' ')));
  }
  return lines;
}

/** Returns the name of a symbol. A section symbol has the name of its section. */
function symbolLabel({ symbols, sections }: ElfParts, row: SymbolIndex): string {
  const own = symbolName(symbols, row);
  if (own !== '' || symbolType(symbols, row) !== SymbolType.SECTION) return own;
  return sectionName(sections, sectionIndex(symbols.section[row] ?? 0));
}

function relocationLines(parts: ElfParts): string[] {
  const { relocations: r, symbols } = parts;
  const lines: string[] = [];
  for (let i = 0; i < r.count; i++) {
    const row = symbolIndex(r.symbol[i] ?? -1);
    const cells = [
      hex(r.offset[i], 16),
      hex(r.info[i], 16),
      bpfRelocationType(r.type[i] ?? 0, false).name,
      ...(r.symbolNumber[i] === 0 ? [] : [hex(symbols.value[row], 16)]),
      symbolLabel(parts, row),
    ];
    lines.push(squeeze(cells.join(' ')));
  }
  return lines;
}
