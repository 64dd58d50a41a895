import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { openObject } from '#testing/open-model.ts';
import { functionCount, functionRowOf, functionRows } from './function-rows.ts';

async function openSample(name: string) {
  const bytes = readFileSync(`${import.meta.dirname}/../../../public/samples/${name}`);
  return openObject(name, new Uint8Array(bytes));
}

function sectionCalled(model: ObjectModel, name: string): SectionIndex {
  for (let i = 1; i < model.sections.count; i++) {
    if (sectionName(model.sections, sectionIndex(i)) === name) return sectionIndex(i);
  }
  throw new Error(`no section ${name}`);
}

describe('functionRows', () => {
  it('lists functions under their section', async () => {
    const { model } = await openSample('doc_call.bpf.o');
    const rows = functionRows(model, '').map((row) =>
      row.kind === 'section' ? `# ${row.name} ${row.count}` : row.func.name,
    );
    expect(rows).toEqual(['# .text 1', 'test', '# sec1 2', 'gfunc', 'lfunc']);
  });

  it.each([
    ['LFUNC', ['lfunc'], 1],
    ['sec1', ['gfunc', 'lfunc'], 2],
    ['nothing', [], 0],
  ])('filters by %s in names of functions and sections', async (filter, expected, count) => {
    const { model } = await openSample('doc_call.bpf.o');
    const rows = functionRows(model, filter);
    expect(rows.flatMap((row) => (row.kind === 'function' ? [row.func.name] : []))).toEqual(
      expected,
    );
    expect(functionCount(rows)).toBe(count);
  });

  it('finds the row of an instruction, else of its section', async () => {
    const { model } = await openSample('doc_call.bpf.o');
    const rows = functionRows(model, '');
    const section = sectionCalled(model, 'sec1');
    expect(functionRowOf(rows, section, { section, insnOff: 0x20 })).toBe(4);
    expect(functionRowOf(rows, section, null)).toBe(2);
    expect(functionRowOf([], section, null)).toBe(-1);
  });
});
