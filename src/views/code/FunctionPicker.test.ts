import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { functionsOf } from '#analysis/objects/functions.ts';
import { finish } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import { type FunctionRow, functionRowSteps } from './FunctionPicker.tsx';

function functionRows(model: ObjectModel, filter: string): FunctionRow[] {
  const rows = finish(functionRowSteps(model, filter));
  return Array.from({ length: rows.length }, (_, i) => rows.at(i)).filter(
    (row) => row !== undefined,
  );
}

/** Returns the rows that pass the filter, computed without the index for comparison. */
function rowsInFull(model: ObjectModel, wanted: string): string[] {
  const functions = functionsOf(model);
  const sections = [...new Set(functions.map(({ section }) => section))];
  return sections.flatMap((section) => {
    const name = sectionName(model.sections, section);
    const own = functions.filter((func) => func.section === section);
    const isWanted = name.toLowerCase().includes(wanted);
    const passing = own.filter((func) => isWanted || func.name.toLowerCase().includes(wanted));
    return passing.length === 0 ? [] : [`# ${name}`, ...passing.map((func) => func.name)];
  });
}

describe('functionRows', () => {
  it('lists functions under their section', async () => {
    const { model } = await sampleObject('doc_call.bpf.o');
    const rows = functionRows(model, '').map((row) =>
      row.kind === 'section' ? `# ${row.name}` : row.func.name,
    );
    expect(rows).toEqual(['# .text', 'test', '# sec1', 'gfunc', 'lfunc']);
  });

  it.each([
    ['LFUNC', ['lfunc'], 1],
    ['sec1', ['gfunc', 'lfunc'], 2],
    ['nothing', [], 0],
  ])('filters by %s in names of functions and sections', async (filter, expected, count) => {
    const { model } = await sampleObject('doc_call.bpf.o');
    const rows = functionRows(model, filter);
    expect(rows.flatMap((row) => (row.kind === 'function' ? [row.func.name] : []))).toEqual(
      expected,
    );
    expect(finish(functionRowSteps(model, filter)).functionCount).toBe(count);
  });

  it('is the same as all rows in full, whatever is looked for', async () => {
    const { model } = await sampleObject('exec_trace.bpf.o');
    const filter = fc.oneof(
      fc.constantFrom('', 'kprobe', 'EXIT', '.text', ' _ ', 'zz'),
      fc.string(),
    );
    fc.assert(
      fc.property(filter, (looked) => {
        const found = functionRows(model, looked).map((row) =>
          row.kind === 'section' ? `# ${row.name}` : row.func.name,
        );
        expect(found).toEqual(rowsInFull(model, looked.trim().toLowerCase()));
      }),
    );
  });

  it('finds the row of an instruction, else of its section', async () => {
    const { model } = await sampleObject('doc_call.bpf.o');
    const rows = finish(functionRowSteps(model, ''));
    const section = sectionCalled(model, 'sec1');
    expect(rows.rowOf(section, { section, insnOff: 0x20 })).toBe(4);
    expect(rows.rowOf(section, null)).toBe(2);
    const none = finish(functionRowSteps(model, 'nothing'));
    expect(none.rowOf(section, null)).toBeNull();
    expect(none.at(0)).toBeUndefined();
  });
});
