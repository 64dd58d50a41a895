import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { recordSpan } from '#model/type-table.ts';
import { sampleModel } from '#testing/samples.ts';
import { pinsByType } from './PinMark.tsx';

it('finds the type of a pin on it, on a member of it, and on bytes of its record', async () => {
  const { types } = await sampleModel('exec_trace.bpf.o');
  const record = types && recordSpan(types, typeId(22));
  if (types === null || record === null) throw new Error('no record');
  const selections: Selection[] = [
    typeSelection(typeId(22)),
    typeSelection(typeId(22), [3]),
    { kind: 'bytes', start: record.end - 4, end: record.end },
    { kind: 'bytes', start: record.end, end: record.end + 4 },
    { kind: 'bytes', start: 0, end: 4 },
    { kind: 'none' },
  ];
  const pins = selections.map((selection, number) => {
    return { number, text: '', selection, span: null, isLit: false };
  });
  const found = [...pinsByType(types, pins)].map(([type, own]) => [type, own.map((p) => p.number)]);
  expect(found).toEqual([
    [22, [0, 1, 2]],
    [23, [3]],
  ]);
});
