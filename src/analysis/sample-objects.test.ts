/** Compares sample objects, among them those of the document on relocations, with known values. */
import { describe, expect, it } from 'vitest';
import { coreRecordsAt } from '#analysis/core/core-records.ts';
import { variablesOf } from '#analysis/values/variables.ts';
import { relocIndex, type SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { linesOf, relocationSections } from '#testing/all-at-once.ts';
import { sampleBytes, sampleModel, sectionCalled } from '#testing/samples.ts';
import { codeListing } from './code/code-listing.ts';
import { lineAt } from './code/source-lines.ts';
import { definedMaps } from './libbpf/defined-maps.ts';
import { licenseOf, licenseSection, ProgramRows } from './libbpf/programs.ts';
import { functionAt, functionsOf } from './objects/functions.ts';
import { relocationAtInsn, relocationsInRange } from './relocations/by-place.ts';
import { relocationMeaning } from './relocations/meaning.ts';

const open = (name: string) => sampleModel(name);

function bytesOf(model: ObjectModel, file: Uint8Array, section: SectionIndex): Uint8Array {
  const start = model.sections.fileOffset[section] ?? 0;
  return file.subarray(start, start + (model.sections.byteLength[section] ?? 0));
}

function meaningsOn(model: ObjectModel, section: string) {
  return relocationsInRange(model, sectionCalled(model, section), 0, Infinity).map((index) =>
    relocationMeaning(model, index),
  );
}

describe.each(['', '.be'])('the examples of the document (%s)', (order) => {
  it('ld_imm64: g1, g2, and l1 and l2 through their section', async () => {
    const model = await open(`doc_ld_imm64${order}.bpf.o`);
    const meanings = meaningsOn(model, '.text');
    expect(meanings).toMatchObject([
      { symbolText: 'g1', symbolValue: 0n, addend: 0n, result: 0n, target: { name: 'g1' } },
      { symbolText: 'g2', symbolValue: 4n, addend: 0n, result: 4n, target: { name: 'g2' } },
      { symbolText: 'sec', symbolValue: 0n, addend: 8n, result: 8n, target: { name: 'l1' } },
      { symbolText: 'sec', symbolValue: 0n, addend: 12n, result: 12n, target: { name: 'l2' } },
    ]);
    expect(meanings.map((m) => m.numbers)).toEqual([
      '0x0 + 0x0 = 0x0',
      '0x4 + 0x0 = 0x4',
      '0x0 + 0x8 = 0x8',
      '0x0 + 0xc = 0xc',
    ]);
    expect(meanings.map((m) => m.site?.byteOffset)).toEqual([0x4, 0x1c, 0x3c, 0x5c]);
    expect(meanings[2]?.words).toBe(
      'Writes 8 (32 bits) at byte 0x3c of .text. The loader later puts the address of l1 into this ld_imm64.',
    );
  });

  it('calls: gfunc, and lfunc through its section', async () => {
    const model = await open(`doc_call${order}.bpf.o`);
    const meanings = meaningsOn(model, '.text');
    expect(meanings).toMatchObject([
      { typeName: 'R_BPF_64_32', symbolText: 'gfunc', result: -1n, target: { what: 'function' } },
      { typeName: 'R_BPF_64_32', symbolText: 'sec1', result: 2n, target: { name: 'lfunc' } },
      { typeName: 'R_BPF_64_64', symbolText: 'global', result: 0n, target: { what: 'variable' } },
    ]);
    expect(meanings.map((m) => m.numbers).slice(0, 2)).toEqual([
      '(0x0 + 0x0) / 8 - 1 = -1',
      '(0x0 + 0x18) / 8 - 1 = 2',
    ]);
  });

  it('data: a pointer to a function', async () => {
    const model = await open(`doc_data${order}.bpf.o`);
    expect(meaningsOn(model, '.data')).toMatchObject([
      {
        typeName: 'R_BPF_64_ABS64',
        formula: 'S + A',
        belongsTo: 'data',
        site: { byteOffset: 0, bitSize: 64 },
        target: { name: 'global', what: 'function' },
      },
    ]);
  });

  it('data of .BTF and .BTF.ext: offsets that are no addresses', async () => {
    const model = await open(`doc_data${order}.bpf.o`);
    const placesIn = (section: string) =>
      meaningsOn(model, section).map((m) => [m.typeName, m.site?.byteOffset, m.symbolText]);
    expect(placesIn('.BTF')).toEqual([['R_BPF_64_NODYLD32', 0x84, 'gbl']]);
    expect(placesIn('.BTF.ext')).toEqual([
      ['R_BPF_64_NODYLD32', 0x2c, '.text'],
      ['R_BPF_64_NODYLD32', 0x40, '.text'],
    ]);
    expect(meaningsOn(model, '.debug_info')).toHaveLength(13);
  });

  it('result and site agree with what the compiler left at the site', async () => {
    for (const name of ['doc_ld_imm64', 'doc_call', 'doc_data', 'data_relocs', 'xdp_counter']) {
      const file = sampleBytes(`${name}${order}.bpf.o`);
      const model = await open(`${name}${order}.bpf.o`);
      const view = new DataView(file.buffer);
      for (let i = 0; i < model.relocations.count; i++) {
        const { siteSpan, formula, addend } = relocationMeaning(model, relocIndex(i));
        if (siteSpan === null) throw new Error(`${name} #${i} has no site`);
        const little = model.endian === 'little';
        const stored =
          siteSpan.end - siteSpan.start === 8
            ? view.getBigInt64(siteSpan.start, little)
            : BigInt(view.getInt32(siteSpan.start, little));
        const expected = formula === 'S + A' ? stored : (stored + 1n) * 8n;
        expect(addend, `${name} #${i}`).toBe(expected);
      }
    }
  });

  it('groups: program, .BTF and .BTF.ext, debugging information', async () => {
    const model = await open(`doc_call${order}.bpf.o`);
    const sections = relocationSections(model);
    expect(sections.map((s) => [s.name, s.belongsTo, s.count])).toEqual([
      ['.rel.text', 'program', 3],
      ['.rel.BTF', 'btf', 1],
      ['.rel.BTF.ext', 'btf-ext', 16],
    ]);
    expect(sections.map((s) => s.first)).toEqual([0, 3, 4]);
    expect(sections[2]?.about).toContain('not CO-RE');
  });
});

describe('code of the samples', () => {
  it('has functions, lines and relocations where they are', async () => {
    const model = await open('doc_call.bpf.o');
    const text = sectionCalled(model, '.text');
    const sec1 = sectionCalled(model, 'sec1');
    expect(functionsOf(model).map((f) => [f.name, f.section, f.start, f.end, f.global])).toEqual([
      ['test', text, 0, 0x68, true],
      ['gfunc', sec1, 0, 0x18, true],
      ['lfunc', sec1, 0x18, 0x30, false],
    ]);
    expect(functionAt(model, sec1, 0x18)?.name).toBe('lfunc');
    expect(functionAt(model, sec1, 0x30)).toBeNull();
    expect(relocationAtInsn(model, text, 0x30)).toBe(1);
    expect(relocationAtInsn(model, text, 0x38)).toBeNull();
    expect(lineAt(model, sec1, 0x18)).toMatchObject({ exact: true });
    expect(lineAt(model, sec1, 0x18)?.text).toContain('lfunc');
    const lines = linesOf(model, text).map((line) => line.insnOff);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });

  it('lists a section row by row', async () => {
    const file = sampleBytes('doc_core.bpf.o');
    const model = await open('doc_core.bpf.o');
    const text = sectionCalled(model, '.text');
    const listing = codeListing(model, text, bytesOf(model, file, text));
    const rows = Array.from({ length: listing.count }, (_, i) => listing.rowAt(i));
    expect(rows[0]).toMatchObject({ kind: 'function', func: { name: 'alpha' } });
    expect(rows.filter((row) => row?.kind === 'core')).toHaveLength(model.ext.core.count);
    for (const [i, row] of rows.entries()) {
      if (row?.kind !== 'insn') continue;
      expect(listing.rowOfInsn(row.insn.offset)).toBe(i);
      expect(listing.rowOfInsn(row.insn.offset + row.insn.length - 1)).toBe(i);
      const below = coreRecordsAt(model, text, row.insn.offset);
      expect(rows.slice(i + 1, i + 1 + below.length)).toEqual(
        below.map((core) => ({ kind: 'core', core })),
      );
    }
    expect(listing.rowAt(-1)).toBeNull();
    expect(listing.rowAt(listing.count)).toBeNull();
    expect(listing.rowOfInsn(1 << 20)).toBe(-1);
  });
});

describe('what an object brings along', () => {
  it('xdp_counter: programs, maps and a licence', async () => {
    const file = sampleBytes('xdp_counter.bpf.o');
    const model = await open('xdp_counter.bpf.o');
    const rows = new ProgramRows(model);
    const programs = Array.from({ length: rows.programCount }, (_, row) => rows.at(row));
    expect(programs.map((p) => [p?.sectionName, p?.kind])).toContainEqual(['xdp', 'xdp']);
    expect(programs.every((p) => p?.sectionName !== '.text')).toBe(true);
    expect(functionsOf(model).some((f) => !f.isProgram)).toBe(true);
    const maps = definedMaps(model, () => null);
    expect(maps.map((map) => [map.section, map.name, map.mapTypeName])).toEqual([
      ['.maps', 'next', 'BPF_MAP_TYPE_PROG_ARRAY'],
      ['.maps', 'protocols', 'BPF_MAP_TYPE_PERCPU_ARRAY'],
      ['.maps', 'last_seen', 'BPF_MAP_TYPE_HASH'],
      ['.maps', 'verdict', 'BPF_MAP_TYPE_ARRAY'],
    ]);
    const license = licenseSection(model);
    if (license === null) throw new Error('there is a license section');
    expect(licenseOf(model, bytesOf(model, file, license))).toMatch(/GPL/);
    expect(variablesOf(model).length).toBeGreaterThan(0);
  });

  it('a raw BTF blob has no relocations', async () => {
    const model = await open('kinds.btf');
    expect([new ProgramRows(model).length, definedMaps(model, () => null)]).toEqual([0, []]);
    expect(licenseOf(model, new Uint8Array(4))).toBeNull();
  });
});
