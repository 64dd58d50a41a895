import { describe, expect, it } from 'vitest';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import { functionCount, functionRowOf, functionRows } from './function-rows.ts';

describe('functionRows', () => {
  it('lists functions under their section', async () => {
    const { model } = await sampleObject('doc_call.bpf.o');
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
    const { model } = await sampleObject('doc_call.bpf.o');
    const rows = functionRows(model, filter);
    expect(rows.flatMap((row) => (row.kind === 'function' ? [row.func.name] : []))).toEqual(
      expected,
    );
    expect(functionCount(rows)).toBe(count);
  });

  it('finds the row of an instruction, else of its section', async () => {
    const { model } = await sampleObject('doc_call.bpf.o');
    const rows = functionRows(model, '');
    const section = sectionCalled(model, 'sec1');
    expect(functionRowOf(rows, section, { section, insnOff: 0x20 })).toBe(4);
    expect(functionRowOf(rows, section, null)).toBe(2);
    expect(functionRowOf([], section, null)).toBe(-1);
  });
});
