import { beforeAll, describe, expect, it } from 'vitest';
import { coreIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { sampleModel } from '#testing/samples.ts';
import { newWalk, selectionOf, type Walk, walkOf } from './PlaygroundPanel.tsx';

let model: ObjectModel;
let types: TypeTable;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
  if (model.types === null) throw new Error('the example has types');
  types = model.types;
});

/** Types of the example file: struct task_struct, struct cred, enum pid_type. */
const TASK = typeId(22);
const CRED = typeId(31);
const PID_TYPE = typeId(61);
const walk = (root: number, ...strings: readonly string[]): Walk => ({
  accesses: strings.map((accessStr) => ({ root: typeId(root), accessStr })),
  core: null,
});

describe('the shown path', () => {
  it('is that of the selection by default', () => {
    expect(walkOf(model, NO_SELECTION, null)).toBeNull();
    expect(walkOf(model, typeSelection(CRED, [0, 0]), null)).toEqual(walk(31, '0:0:0'));
    expect(walkOf(model, typeSelection(PID_TYPE), null)).toEqual(walk(61, '0'));
    expect(walkOf(model, typeSelection(typeId(9_999)), null)).toBeNull();
  });

  it('is that of the selected record, or of its type alone for type relocations', () => {
    const record = (core: number) =>
      walkOf(model, { kind: 'core', core: coreIndex(core), step: null }, null);
    expect(record(20)).toEqual({ ...walk(44, '0:1:0:0'), core: 20 });
    expect(record(2)).toEqual({ ...walk(31, '0:0:0'), core: 2 });
    expect(record(31)).toEqual({ ...walk(22, '0'), core: 31 });
    expect(record(29)).toEqual({ ...walk(61, '3'), core: 29 });
    expect(record(99_999)).toBeNull();
  });

  it('stays as long as the selection means the same', () => {
    const kept = walk(31, '1:0:0');
    expect(walkOf(model, typeSelection(CRED, [0, 0]), kept)).toBe(kept);
    expect(walkOf(model, typeSelection(CRED, [0]), kept)).toEqual(walk(31, '0:0'));
    expect(walkOf(model, typeSelection(TASK), kept)).toEqual(walk(22, '0'));
    expect(walkOf(model, NO_SELECTION, kept)).toBe(kept);
    expect(walkOf(model, { kind: 'bytes', start: 0, end: 1 }, kept)).toBe(kept);
    const ofRecord = { ...kept, core: 2 };
    expect(walkOf(model, { kind: 'core', core: coreIndex(2), step: null }, ofRecord)).toBe(
      ofRecord,
    );
  });
});

it('selects the members of its first access, as far as they go', () => {
  expect(selectionOf(types, newWalk(types, CRED, [0, 0]))).toEqual(typeSelection(CRED, [0, 0]));
  expect(selectionOf(types, walk(31, '0:0:0:9'))).toEqual(typeSelection(CRED, [0, 0]));
  expect(selectionOf(types, walk(31, 'x'))).toEqual(typeSelection(CRED));
  expect(selectionOf(types, walk(61, '3'))).toEqual(typeSelection(PID_TYPE));
  for (const kept of [walk(31, '0:0:0:9'), walk(31, ''), walk(61, '99'), walk(22, '0:10:0')]) {
    const selected = selectionOf(types, kept);
    if (selected === null) throw new Error('a way has a root');
    expect(walkOf(model, selected, kept)).toBe(kept);
  }
});
