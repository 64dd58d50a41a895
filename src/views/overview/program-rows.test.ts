import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING } from '#model/selection.ts';
import { sampleModel } from '#testing/samples.ts';
import { programOf, programRows } from './program-rows.ts';
import { tilesOf } from './tiles.ts';

let model: ObjectModel;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
});

describe('programRows', () => {
  it('has programs first, with what libbpf makes of their sections', () => {
    const rows = programRows(model);
    expect(rows.map(({ func }) => func.isProgram)).toEqual([true, true, true, false, false]);
    expect(rows[1]).toMatchObject({
      sectionName: 'kprobe/do_exit',
      kind: 'kprobe',
      attachTo: 'do_exit',
    });
  });

  it('gives each instruction and each CO-RE record to one function', () => {
    const rows = programRows(model);
    const code = rows.reduce((sum, { insnCount }) => sum + insnCount, 0);
    const bytes = [...model.sections.flags.keys()]
      .filter((i) => ((model.sections.flags[i] ?? 0n) & 4n) !== 0n)
      .reduce((sum, i) => sum + (model.sections.byteLength[i] ?? 0), 0);
    expect(code * 8).toBe(bytes);
    const core = rows.reduce((sum, { coreCount }) => sum + coreCount, 0);
    expect(core).toBe(model.ext.core.count);
  });

  it('lights the function that the selection is in', () => {
    const rows = programRows(model);
    const [, second] = rows;
    if (second === undefined) throw new Error('no second program');
    const { section, start, end } = second.func;
    const at = (insnOff: number) => programOf(rows, model, { kind: 'insn', section, insnOff });
    expect([at(start), at(end - 8), at(end)]).toEqual([1, 1, -1]);
    expect(programOf(rows, model, NOTHING)).toBe(-1);
  });
});

describe('tilesOf', () => {
  it('has a number for each table of an object', () => {
    const tiles = tilesOf(model, []);
    expect(tiles.map(({ id, view }) => [id, view])).toEqual([
      ['types', 'types'],
      ['functions', 'code'],
      ['relocations', 'relocations'],
      ['core', 'core'],
      ['sections', 'bytes'],
      ['symbols', 'bytes'],
    ]);
    expect(tiles.find(({ id }) => id === 'types')?.count).toBe(model.types?.count);
    expect(tiles.at(-1)?.selection).toMatchObject({ kind: 'section' });
  });

  it('leaves out what raw BTF cannot have', async () => {
    const raw = await sampleModel('kinds.btf');
    expect(tilesOf(raw, []).map(({ id }) => id)).toEqual(['types', 'strings']);
    expect(programRows(raw)).toEqual([]);
  });
});
