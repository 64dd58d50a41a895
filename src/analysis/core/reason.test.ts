import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { CoreObjectRecord } from './core-records.ts';
import type { Decision } from './patch-insn.ts';
import { coreState } from './reason.ts';

const record = (kind: number): CoreObjectRecord => ({
  index: 0,
  kind,
  root: typeId(1),
  accessStr: '0:0',
  hasAccessStr: true,
  sectionName: 'socket',
  relocIndexInSection: 0,
  insnOff: 0,
  func: null,
  eliminated: false,
  insnLength: 8,
});

const decided = (over: Partial<Decision>): Decision => ({
  origVal: 8n,
  newVal: 8n,
  validate: true,
  poison: false,
  failMemszAdjust: false,
  origSz: 4,
  newSz: 4,
  origTypeId: 2,
  newTypeId: 3,
  ...over,
});

const MATCH = [{ table: 0, id: typeId(7) }];

describe('coreState', () => {
  it.each([
    ['the same number', 0, {}, 'same'],
    ['another offset', 0, { newVal: 16n }, 'changed'],
    ['another size alone', 0, { newSz: 8 }, 'changed'],
    ['a field at offset 0', 0, { newVal: 0n }, 'changed'],
    ['a field that is there', 2, { origVal: 1n, newVal: 1n, origSz: 0, newSz: 0 }, 'same'],
    ['a type with no bytes', 9, { newVal: 0n }, 'changed'],
    ['an enumerator of value 0', 11, { origVal: 1n, newVal: 0n }, 'changed'],
  ] as const)('%s', (_words, kind, over, state) => {
    const result = { record: record(kind), status: 'ok', decision: decided(over) } as const;
    expect(coreState({ ...result, matched: MATCH })).toBe(state);
  });

  it.each([
    ['a field', 2, 'absent'],
    ['the id of a type', 7, 'absent'],
    ['a type', 8, 'absent'],
    ['the size of a type', 9, 'absent'],
    ['an enumerator', 10, 'absent'],
    ['a type that looks alike', 12, 'absent'],
    // local_type_id uses the id of the type in the object; libbpf compares no candidate.
    ['the local id', 6, 'same'],
  ] as const)('%s without a match', (_words, kind, state) => {
    const decision = decided(kind === 6 ? {} : { origVal: 1n, newVal: 0n });
    expect(coreState({ record: record(kind), status: 'ok', decision, matched: [] })).toBe(state);
  });

  it.each([
    ['poisoned', decided({ poison: true }), 'poisoned'],
    // The field matches, but the load would access the wrong number of bytes.
    ['poisoned', decided({ failMemszAdjust: true, newSz: 8 }), 'poisoned'],
    ['failed', null, 'fails'],
    ['failed', decided({}), 'fails'],
    ['ambiguous', null, 'fails'],
  ] as const)('what is %s', (status, decision, state) => {
    expect(coreState({ record: record(0), status, decision, matched: MATCH })).toBe(state);
  });
});
