import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { relocIndex } from '#model/ids.ts';
import { isBpf } from '#model/object-model.ts';
import { corpusEdges, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { relocationMeaning } from './meaning.ts';
import { relocationName } from './names.ts';

/** Matches type, symbol value and symbol name of a line; the optional rest is the addend. */
const LINE = /^[0-9a-f]+ +[0-9a-f]+ (R_\S+)(?: +[0-9a-f]{8,16} +(.*?))?(?: +(?:[+-] )?[0-9a-f]+)?$/;

const READELF = 'llvm-readelf-19';

function hasReadelf(): boolean {
  try {
    execFileSync(READELF, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('relocationName', () => {
  it.each([
    [62, 2, 64, 'R_X86_64_PC32'],
    [183, 257, 64, 'R_AARCH64_ABS64'],
    [22, 22, 64, 'R_390_64'],
    [40, 2, 32, 'R_ARM_ABS32'],
    [243, 2, 64, 'R_RISCV_64'],
    [258, 2, 64, 'R_LARCH_64'],
    [8, 0x1203, 64, 'R_MIPS_REL32/R_MIPS_64'],
    [8, 0x051807, 64, 'R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_HI16'],
    [43, 0x2021, 64, 'R_SPARC_OLO10'],
    [4, 10, 32, 'R_68K_GOT32O'],
    [0x9026, 6, 64, 'R_ALPHA_GPDISP'],
    [42, 1, 32, 'R_SH_DIR32'],
    [8, 2, 32, 'R_MIPS_32'],
    [62, 9999, 64, null],
    [0xabcd, 1, 64, null],
  ] as const)('machine %d, type %d', (machine, type, bits, name) => {
    expect(relocationName(machine, type, bits)).toBe(name);
  });
});

describe.skipIf(!hasReadelf())('native objects of the corpus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relocation-names-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const natives = corpusEdges().filter((e) => /^native_.*\.o$/.test(e.id));

  it.each(natives)('$id: types and symbols are those of llvm-readelf', async (edge) => {
    const file = readCorpusFile(edge);
    const path = join(folder, edge.name);
    writeFileSync(path, file);
    const printed = execFileSync(READELF, ['-rW', path], { maxBuffer: 1 << 28 })
      .toString()
      .split('\n')
      .flatMap((line) => {
        const found = LINE.exec(line);
        return found === null ? [] : [`${found[1]} ${(found[2] ?? '').trimEnd()}`];
      });
    const model = await openModel(edge.name, file);
    expect(isBpf(model)).toBe(false);
    const ours = Array.from({ length: model.relocations.count }, (_, i) => {
      const { typeName, symbolText } = relocationMeaning(model, relocIndex(i));
      // Labels that GNU as creates have names with a space at the end.
      return `${typeName} ${symbolText.trimEnd()}`;
    });
    expect(ours).toEqual(printed);
    expect(ours.length).toBeGreaterThan(10);
  });
});
