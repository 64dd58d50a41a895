/**
 * Tests the texts of a whole object with hostile names: requirements, results on a kernel, code.
 * For the rules see `hostile-names.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { targetOf } from '#analysis/core/candidates.ts';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { coreMatrix } from '#analysis/core/matrix/matrix.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { coreNeeds } from '#analysis/needs/core-needs.ts';
import { decodeText, visible } from '#bytes/text.ts';
import { forNames, namedCases, PLAIN, tableWith, textOf } from '#testing/for-hostile-names.ts';
import { type HostileName, hostileObject, LONG_NAME } from '#testing/hostile-names.ts';
import { readCsv } from '#testing/hostile-readers.ts';
import { openObject } from '#testing/open-model.ts';
import { needsHeader } from './c-dump/needs-header.ts';
import { coreLog } from './core-log.ts';
import { matrixCsv, matrixJson, matrixText } from './core-matrix.ts';
import { disassembly } from './disassembly.ts';

const OBJDUMP = 'llvm-objdump-19';
const hasObjdump = spawnSync(OBJDUMP, ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'hostile-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the requirements of an object', () => {
  const needsOf = async (name: HostileName) => {
    const { model } = await openObject('a.o', hostileObject([name]));
    if (model.types === null) throw new Error('the object has types');
    return needsHeader(model.types, coreNeeds(model));
  };

  describe('as a header', () => {
    forNames(async (name) => {
      const text = await needsOf(name);
      // The name is unchanged, or the type is omitted.
      const isThere = text.includes(`struct ${textOf(name)} {`);
      const expected = (await needsOf(PLAIN)).replaceAll('plain', () => textOf(name));
      if (isThere) expect(text).toBe(expected);
      else expect(text).toBe('#pragma once\n\n/* 2 names that C cannot spell are left out. */\n');
      expect(text).toMatch(/^[\t\n\w#(){};:,=*/ .-]*$/);
    });
  });

  /** Returns the records of an object, with results on a kernel that has the same types. */
  const resolvedWith = async (name: HostileName) => {
    const { model, source } = await openObject('a.o', hostileObject([name]));
    const { fileOffset, byteLength, count } = model.sections;
    const sections = await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const start = fileOffset[i] ?? 0;
        return source.read(start, start + Math.min(byteLength[i] ?? 0, 4096));
      }),
    );
    const local = coreObjectOf(model, (section) => sections[section] ?? null);
    if (local === null) throw new Error('the object has CO-RE records');
    const results = resolveObject(local, targetOf(textOf(name), tableWith(name)));
    return { local, results };
  };
  const matrixWith = async (name: HostileName) => {
    const { local, results } = await resolvedWith(name);
    return coreMatrix(local, [{ name: textOf(name), results }]);
  };

  it('writes a name of a megabyte quickly in every text', async () => {
    const matrix = await matrixWith(LONG_NAME);
    const { length } = LONG_NAME.bytes;
    expect([...matrixCsv(matrix)].join('').length).toBeGreaterThan(length);
    expect(matrixJson(matrix, 'a.o').length).toBeGreaterThan(length);
    expect([...matrixText(matrix)].join('').length).toBeGreaterThan(length);
    expect((await resolvedWith(LONG_NAME)).results.flatMap(coreLog).join('').length).toBeLessThan(
      20 * length,
    );
    expect(await needsOf(LONG_NAME)).toContain(`struct ${textOf(LONG_NAME)} {`);
  }, 20_000);

  describe('on kernels, as CSV', () => {
    forNames(async (name) => {
      const rows = readCsv([...matrixCsv(await matrixWith(name))].join(''));
      expect(rows.map((row) => row.length)).toEqual([12, 12, 12]);
      const cells = rows.flat();
      for (const cell of cells) expect(cell).toBe(visible(cell));
      for (const cell of cells) expect(cell).not.toMatch(/(^|;)\s*[=+@\uff1d\uff0b\uff0d\uff20]/u);
      for (const cell of cells) expect(cell).not.toMatch(/^-(?!\d+$)/);
      const unmarked = (cell: string | undefined) => cell?.replaceAll(/(^|;)'/g, '$1');
      const shown = unmarked(visible(textOf(name)));
      // Cells with names: the section, the program, and the target in the header row.
      const shownCells = [rows[1]?.[0], rows[1]?.[3], rows[0]?.[9]].map(unmarked);
      expect(shownCells).toEqual([shown, shown, shown]);
      expect(rows.slice(1).map((row) => row[9])).toEqual(['same', 'same']);
    });
  });

  describe('on kernels, as JSON', () => {
    forNames(async (name) => {
      const raw = textOf(name);
      const read = JSON.parse(matrixJson(await matrixWith(name), raw));
      expect(Object.keys(read)).toEqual(['object', 'targets', 'programs', 'relocations']);
      expect(read).toMatchObject({
        object: raw,
        targets: [{ name: raw, resolved: true }],
        programs: [{ name: raw, section: raw, records: 2 }],
        relocations: [
          { section: raw, prog: raw, local_root_name: raw, field: `struct ${raw}.${raw}` },
          { section: raw, prog: raw, local_root_name: raw, field: `enum ${raw}::${raw}` },
        ],
      });
    });
  });

  describe('on kernels, as lines', () => {
    forNames(async (name) => {
      const lines = [...matrixText(await matrixWith(name))];
      expect(lines).toHaveLength(4);
      for (const line of lines) expect(line).toBe(visible(line));
    });
  });

  describe('as libbpf’s log: the names of the file, cut where libbpf cuts', () => {
    forNames(async (name) => {
      const { results } = await resolvedWith(name);
      const plain = (await resolvedWith(PLAIN)).results.flatMap(coreLog);
      const lines = results.flatMap(coreLog);
      expect(lines).toHaveLength(plain.length);
      for (const [i, line] of lines.entries()) {
        const whole = plain[i]?.replaceAll('plain', () => textOf(name)) ?? '';
        if (line === whole) continue;
        expect(whole.length).toBeGreaterThan(200);
        // A text may be cut in the middle of a character, but nowhere else.
        expect(whole.startsWith(line.replace(/\ufffd+$/, ''))).toBe(true);
      }
    });
  });
});

describe('the disassembly', () => {
  const linesOf = async (name: HostileName, path: string, lines: boolean) => {
    const { model, source } = await openObject('a.o', hostileObject([name]));
    const all: string[] = [];
    for await (const batch of disassembly(model, source, {
      path,
      raw: true,
      lines,
      decimal: false,
    })) {
      all.push(...batch);
    }
    return all;
  };

  it.skipIf(!hasObjdump).each(namedCases)('is llvm-objdump’s: %s', async (_what, name) => {
    const path = join(folder, 'a.o');
    writeFileSync(path, hostileObject([name]));
    const { stdout } = spawnSync(OBJDUMP, ['-dr', path], { maxBuffer: 1 << 26 });
    const ours = (await linesOf(name, path, false)).map((line) => `${line}\n`).join('');
    expect(ours).toBe(decodeText(stdout));
  });

  describe('with source lines, which are ours', () => {
    forNames(async (name) => {
      const [hostile, plain] = [
        await linesOf(name, 'a.o', true),
        await linesOf(PLAIN, 'a.o', true),
      ];
      expect(hostile).toHaveLength(plain.length);
      const sourceLines = hostile.filter((line) => line.startsWith('; '));
      expect(sourceLines.length).toBeGreaterThan(0);
      for (const line of sourceLines) {
        expect(line.replaceAll('\t', '')).toBe(visible(line.replaceAll('\t', '')));
      }
    });
  });
});
