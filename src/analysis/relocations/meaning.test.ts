import { describe, expect, it } from 'vitest';
import { type RelocIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isData } from '#model/sections.ts';
import { openModel } from '#testing/open-model.ts';
import { ecoffSampleNames, sampleBytes, sampleModel } from '#testing/samples.ts';
import { relocationAtInsn } from './by-place.ts';
import { exampleLayout, layoutOf, storedLayout } from './layout.ts';
import { listCells, listColumns } from './list.ts';
import { relocationDetail, relocationMeaning } from './meaning.ts';

function find(model: ObjectModel, typeName: string, nth = 0): RelocIndex {
  const rows = Array.from({ length: model.relocations.count }, (_, i) => relocIndex(i));
  const found = rows.filter((row) => relocationMeaning(model, row).typeName === typeName)[nth];
  if (found === undefined) throw new Error(`no ${typeName}`);
  return found;
}

describe('an expression (4.3.4.14)', () => {
  it('has a formula, and the stack after each step', async () => {
    const model = await sampleModel('alpha_expression.ecoff');
    const layout = layoutOf(model, new Map([['@_fpdata', 0x10n]]));
    const first = find(model, 'R_OP_PUSH', 2);
    const steps = [0, 1, 2].map((i) => relocationDetail(model, relocIndex(first + i), layout));
    expect(steps[0]?.group?.infix).toEqual([
      '(.pdata+0x78) = (((.text+0x30)-&_fpdata) & 0xffffffff)',
    ]);
    expect(steps[0]?.group?.stops.map(({ role }) => role)).toEqual(['PUSH', 'PSUB', 'STORE']);
    expect(steps.map((step) => step.stack)).toEqual([
      {
        does: 'PUSH (.text+0x30)',
        stack: [{ text: '(.text+0x30)', value: 0x30n }],
        stored: null,
        problem: null,
      },
      {
        does: 'PSUB &_fpdata',
        stack: [{ text: '((.text+0x30)-&_fpdata)', value: 0x20n }],
        stored: null,
        problem: null,
      },
      {
        does: 'STORE 32 bits at 0x78',
        stack: [],
        stored: {
          text: '(.pdata+0x78) = (((.text+0x30)-&_fpdata) & 0xffffffff)',
          value: 0x20n,
        },
        problem: null,
      },
    ]);
  });

  it('names the unknown values while a symbol has no address', async () => {
    const model = await sampleModel('alpha_expression.ecoff');
    const detail = relocationDetail(model, find(model, 'R_OP_PSUB', 2), storedLayout(model));
    expect(detail.stack?.stack).toEqual([{ text: '((.text+0x30)-&_fpdata)', value: null }]);
    expect(detail.problem).toBe('needs a value that is not set');
  });
});

describe('a gp load (4.3.4.8)', () => {
  it('has two stops: the entry, and the second instruction', async () => {
    const model = await sampleModel('alpha_gpdisp.ecoff');
    const reloc = find(model, 'R_GPDISP', 1);
    const stops = relocationDetail(model, reloc, storedLayout(model)).group?.stops;
    expect(stops).toEqual([
      { reloc, selection: { kind: 'relocation', reloc }, role: 'lda', address: 0x10n },
      {
        reloc,
        selection: { kind: 'insn', section: 1, insnOff: 0x14 },
        role: 'ldah',
        address: 0x14n,
      },
    ]);
    expect(relocationAtInsn(model, sectionIndex(1), 0x14)).toBe(reloc);
  });

  it('compares the document with the correct formula, with numbers', async () => {
    const model = await sampleModel('alpha_gpdisp.ecoff');
    const layout = layoutOf(model, new Map([['gp', 0x9040n]]));
    const { variants, reason } = relocationDetail(model, find(model, 'R_GPDISP'), layout);
    expect(variants).toMatchObject([
      { by: 'The document', value: '0x7040: high 0, low 28736', isMeant: false },
      { by: 'GNU ld 2.40', value: '0x9040: high 1, low -28608', isMeant: true },
    ]);
    expect(variants[0]?.numbers).toBe(
      '(0x8040 - 0x9040) + (0x0 - 0x0) + 65536 * 0x1 + (-0x7fc0) = 0x7040',
    );
    expect(reason).toContain('swaps the two gp values');
  });
});

it('shows the relaxation of a call through a literal (4.3.4.7)', async () => {
  const model = await sampleModel('alpha_literal.ecoff');
  const use = find(model, 'R_LITUSE');
  const near = layoutOf(model, new Map([['@printf', 0x100n]]));
  const rewriting = relocationDetail(model, use, near).rewriting;
  expect(rewriting?.words).toContain('bsr');
  expect(rewriting?.insns.map(({ after }) => after)).toEqual([0x2ffe0000, 0xd340003a]);
  const far = relocationDetail(model, use, layoutOf(model, exampleLayout(model))).rewriting;
  expect(far?.insns.map(({ after }) => after)).toEqual([null, null]);
});

it('has the second gp and the start of its range (4.3.4.18)', async () => {
  const model = await sampleModel('alpha_ranges.ecoff');
  const about = relocationDetail(model, find(model, 'R_GPVALUE'), storedLayout(model)).group?.about;
  expect(about).toContain('0x8050');
  const literals = [0, 1, 2, 3].map((n) => relocationMeaning(model, find(model, 'R_LITERAL', n)));
  expect(literals.map(({ target }) => target?.offset)).toEqual([0n, 8n, 0x40n, 0x48n]);
});

it('marks bit-fields where they are (4.3.4.15)', async () => {
  const model = await sampleModel('alpha_bits.ecoff');
  const marks = [0, 1, 2].map((n) => relocationMeaning(model, find(model, 'R_OP_STORE', n)).marks);
  expect(marks.map(([mark]) => [mark?.bitStart, mark?.bitLength])).toEqual([
    [12, 19],
    [40, 8],
    [0, 64],
  ]);
});

it('lists as each format does', async () => {
  const alpha = await sampleModel('alpha_expression.ecoff');
  expect(listColumns(alpha)).toContain('symndx');
  const store = find(alpha, 'R_OP_STORE', 0);
  expect(listCells(alpha, store, storedLayout(alpha))).toMatchObject({
    symndx: '1',
    bits: '0:14',
    extern: 'local',
  });
  const bpf = await sampleModel('doc_call.bpf.o');
  expect(listColumns(bpf)).toContain('insn');
  expect(listCells(bpf, relocIndex(0), null).symndx).toBe('');
  expect(relocationDetail(bpf, relocIndex(0), null).fields.map(({ name }) => name)).toEqual([
    'r_offset',
    'r_info',
  ]);
});

/** Returns the object as clang 12 wrote it: data has relocation types of code (LLVM D101336). */
function withOldTypes(model: ObjectModel, bytes: Uint8Array): Uint8Array {
  const old = bytes.slice();
  const { count, type, entryOffset, targetSection } = model.relocations;
  const data = new DataView(old.buffer);
  const isLittle = model.endian === 'little';
  for (let i = 0; i < count; i++) {
    if (!isData(model.sections, targetSection[i] ?? -1)) continue;
    const number = type[i] === 2 ? 1 : 10;
    data.setUint32((entryOffset[i] ?? 0) + (isLittle ? 8 : 12), number, isLittle);
  }
  return old;
}

describe.each(['data_relocs.bpf.o', 'data_relocs.be.bpf.o', 'doc_data.bpf.o', 'kinds.bpf.o'])(
  '%s with the relocation types of clang before 13',
  (name) => {
    it('means the same, writes the same bytes and has the same issues', async () => {
      const model = await sampleModel(name);
      const old = await openModel(name, withOldTypes(model, sampleBytes(name)));
      expect(old.issues).toEqual(model.issues);
      let changed = 0;
      for (let i = 0; i < model.relocations.count; i++) {
        const { typeName, ...expected } = relocationMeaning(model, relocIndex(i));
        const { typeName: oldName, ...found } = relocationMeaning(old, relocIndex(i));
        expect(found).toEqual(expected);
        const infoWords = relocationDetail(old, relocIndex(i), null).fields[1]?.meaning;
        if (oldName === typeName) {
          expect(infoWords).toBe('');
          continue;
        }
        changed++;
        expect(infoWords).toMatch(/^R_BPF_64_(?:64|32): a (?:64|32)-bit word of data, .*LLVM 13/);
      }
      expect(changed).toBeGreaterThan(0);
    });
  },
);

describe.each(ecoffSampleNames())('every entry of %s', (name) => {
  it('has a description, and a group whose entries link to it', async () => {
    const model = await sampleModel(name);
    const layout = layoutOf(model, exampleLayout(model));
    for (let i = 0; i < model.relocations.count; i++) {
      const reloc = relocIndex(i);
      const meaning = relocationMeaning(model, reloc);
      expect(meaning.words).not.toBe('');
      expect(meaning.known).toBe(true);
      const { group, problem } = relocationDetail(model, reloc, layout);
      // R_REFLONG stores 32-bit addresses, which are correct for programs linked below 2 GB.
      expect(problem).toBe(meaning.typeName === 'R_REFLONG' ? 'does not fit' : null);
      if (group === null || group.stops.length === 0) continue;
      expect(group.stops.some((stop) => stop.reloc === reloc)).toBe(true);
    }
  });
});
