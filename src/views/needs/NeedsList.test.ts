import { beforeAll, describe, expect, it } from 'vitest';
import { type CoreNeeds, coreNeeds } from '#analysis/needs/core-needs.ts';
import { coreIndex, typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { sampleModel } from '#testing/samples.ts';
import { askersText, kindsText, needRows, pathCount, rowOfSelection } from './NeedsList.tsx';

let needs: CoreNeeds;
beforeAll(async () => {
  needs = coreNeeds(await sampleModel('exec_trace.bpf.o'));
});
const told = (text: string) =>
  needRows(needs, text).map((row) => (row.row === 'type' ? row.type.name : ` ${row.path.text}`));

describe('rows', () => {
  it('are each type, with its requirements', () => {
    const rows = needRows(needs, '');
    expect(rows[0]).toMatchObject({ row: 'type', type: { name: 'task_struct' } });
    expect(rows[1]?.row).toBe('path');
    expect(rows).toHaveLength(needs.types.length + pathCount(needs));
  });

  it('are found by type, field, program and kind; a type with all of its own', () => {
    expect(told('CRED___')).toEqual(['cred___wrong', ' ']);
    expect(told('cred')).toEqual(['task_struct', ' cred', 'cred', ' uid.val', 'cred___wrong', ' ']);
    expect(told('uid.v')).toEqual(['cred', ' uid.val']);
    expect(told('session_of')).toContain('signal_struct');
    expect(told('type_matches')).toEqual(['cred___wrong', ' ']);
    expect(told('nobody')).toEqual([]);
  });

  it('name the requirement and its programs', () => {
    const row = needRows(needs, 'uid.val').find((one) => one.row === 'path');
    if (row?.row !== 'path') throw new Error('the example asks for it');
    expect(kindsText(row.path)).toBe('byte_off ×2');
    expect(askersText(row.path)).toBe('on_exec');
    expect(askersText({ programs: [], sections: ['.text', 'xdp'] })).toBe('.text, xdp');
  });
});

it('finds the row of the selection', () => {
  const rows = needRows(needs, '');
  const index = rowOfSelection(rows, { kind: 'core', core: coreIndex(6), step: 1 });
  expect(rows[index ?? -1]).toMatchObject({ row: 'path', path: { text: 'uid.val' } });
  expect(rowOfSelection(rows, typeSelection(typeId(22)))).toBe(0);
  expect(rowOfSelection(rows, NO_SELECTION)).toBeNull();
  // A local_type_id record needs no type of a kernel, so it has no row.
  expect(rowOfSelection(rows, { kind: 'core', core: coreIndex(27), step: null })).toBeNull();
});
