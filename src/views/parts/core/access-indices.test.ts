import { describe, expect, it } from 'vitest';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import { NO_SELECTION } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { accessTypes } from '#testing/access-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { chipCaption } from '#views/core/AccessSection.tsx';
import { accessIndices, memberPathOf, selectedCore, shownStep } from './access-indices.ts';

const S: TypeId = typeId(4);
const walk = (t: TypeTable, accessStr: string, kind = 0) => walkAccess(t, S, accessStr, kind);

describe('selectedCore', () => {
  it('is the record itself, or the one of the instruction', async () => {
    const model = await sampleModel('doc_core.bpf.o');
    const core = coreIndex(3);
    expect(selectedCore(model, { kind: 'core', core, step: 1 })).toBe(core);
    expect(selectedCore(model, { kind: 'core', core: coreIndex(99), step: null })).toBeNull();
    const section = model.ext.core.section[3];
    const insnOff = model.ext.core.insnOff[3] ?? 0;
    const start = (model.sections.fileOffset[section ?? 0] ?? 0) + insnOff;
    expect(selectedCore(model, { kind: 'bytes', start, end: start + 2 })).toBe(core);
    expect(selectedCore(model, NO_SELECTION)).toBeNull();
  });
});

describe('accessIndices and shownStep', () => {
  it('mark how far the walk came', async () => {
    const path = walk(await accessTypes(), '0:7:1');
    expect(accessIndices(path).map(({ text, state }) => `${text} ${state}`)).toEqual([
      '0 step',
      '7 fault',
      '1 unreached',
    ]);
    expect(shownStep(path, null)).toBe(1);
    expect(shownStep(path, 9)).toBe(2);
    expect(
      [0, 1, 2].map((i) => chipCaption(path, i, accessIndices(path)[i]?.state ?? 'step')),
    ).toEqual(['*p', 'invalid', 'not reached']);
  });

  it('keep text that is not a number', async () => {
    const path = walk(await accessTypes(), '0:x:1');
    expect(accessIndices(path).map(({ text, state }) => `${text} ${state}`)).toEqual([
      '0 step',
      'x:1 fault',
    ]);
    expect(accessIndices(walk(await accessTypes(), '')).map(({ text }) => text)).toEqual(['']);
  });

  it('show the end of a whole path, or the step that is asked for', async () => {
    const path = walk(await accessTypes(), '1:2:3');
    expect(shownStep(path, null)).toBe(2);
    expect(shownStep(path, 0)).toBe(0);
    expect(path.steps.map((_, i) => chipCaption(path, i, 'step'))).toEqual(['p[1]', 'm', '[3]']);
  });
});

describe('memberPathOf', () => {
  it.each([
    ['0:1:0', [1, 0]],
    ['0:2:3', [2]],
    ['0', []],
  ])('%s', async (accessStr, expected) => {
    expect(memberPathOf(walk(await accessTypes(), accessStr))).toEqual(expected);
  });
});
