import { expect, it } from 'vitest';
import type { State, Value } from '#formats/verifier-log/line.ts';
import { readState } from '#formats/verifier-log/state.ts';
import {
  bytesText,
  numberBoth,
  sameValue,
  shownValue,
  stateRows,
  valueFacts,
  varOffText,
} from './state-rows.ts';

const NONE = { object: null, program: null, kernel: null };

function stateOf(text: string): State {
  return readState(text, 0, false);
}

function read(text: string): Value {
  const value = stateOf(`R1=${text}`).regs.get('R1');
  if (value === undefined) throw new Error(`no value: ${text}`);
  return value;
}

const shown = (text: string) => shownValue(read(text), NONE);

it('shows pointers by the type that they point at', () => {
  expect(shown('trusted_ptr_task_struct(off=88)')).toEqual({
    type: 'struct task_struct *',
    place: '+0x58',
    marks: ['trusted'],
  });
  expect(shown('untrusted_ptr_task_struct()').marks).toEqual(['untrusted']);
  expect(shown('map_value_or_null(id=1,map=events,ks=4,vs=16)')).toEqual({
    type: 'map_value of "events"',
    place: '',
    marks: ['may be NULL'],
  });
  expect(shown('fp0')).toEqual({ type: 'stack', place: 'fp', marks: [] });
  expect(shown('fp-16')).toMatchObject({ place: 'fp-16' });
  expect(shown('pkt(id=1,off=14,r=0,smax=umax=60,var_off=(0x0; 0x3c))').place).toBe(
    '+0xe + 0 to 60',
  );
  expect(shown('ctx()')).toEqual({ type: 'ctx', place: '', marks: [] });
});

it('shows numbers as ranges, and constants in decimal and hexadecimal', () => {
  expect(shown('64').type).toBe('64 (0x40)');
  expect(shown('5').type).toBe('5');
  expect(shown('scalar()').type).toBe('any number');
  expect(shown('scalar(smin=0,smax=umax=63,var_off=(0x0; 0x3f))').type).toBe('0 to 63');
  expect(shown('scalar(smin=-5,smax=7)').type).toBe('-5 to 7');
  expect(shown('scalar(umin=3)').type).toBe('at least 3, unsigned');
});

it('tells the bits of var_off in words', () => {
  expect(varOffText('(0x0; 0x3f)')).toBe('bits 0–5 unknown, the others 0');
  expect(varOffText('(0x1; 0x8)')).toBe('bit 3 unknown, bit 0 1, the others 0');
  expect(varOffText('(0x40; 0x0)')).toBe('all bits known: 64 (0x40)');
  expect(varOffText('(0x0; 0xffffffffffffffff)')).toBe('bits 0–63 unknown');
  expect(varOffText('cut')).toBe('cut');
});

it('tells the bytes of a slot, and all facts of a value', () => {
  expect(bytesText('mmmm????')).toBe('4 bytes written, 4 not written');
  expect(bytesText('mmmmmmmm')).toBe('8 bytes written');
  expect(valueFacts(read('scalar(umax=100,var_off=(0x0; 0x7f))'))).toEqual([
    { name: 'type', text: 'scalar' },
    { name: 'umax', text: '100 (0x64)' },
    { name: 'var_off', text: 'bits 0–6 unknown, the others 0' },
  ]);
  expect(numberBoth('-16')).toBe('-16 (-0x10)');
  expect(numberBoth('task')).toBe('task');
});

it('lists registers and slots in order and marks those that changed', () => {
  const rows = stateRows(stateOf('R10=fp0 R1=ctx() fp-8=mmmmmmmm'), stateOf('R1=5 R10=fp0 R2=1'));
  expect(rows.map(({ name, isChanged }) => [name, isChanged])).toEqual([
    ['R1', true],
    ['R2', true],
    ['R10', false],
    ['fp-8', true],
  ]);
  const refused = stateRows(stateOf('R1=ctx() R10=fp0'), null);
  expect(refused.some(({ isChanged }) => isChanged)).toBe(false);
});

it('takes values for the same that differ in marks only', () => {
  expect(sameValue(read('Pscalar()'), read('scalar()'))).toBe(true);
  expect(sameValue(read('5'), read('6'))).toBe(false);
  expect(sameValue(null, read('6'))).toBe(false);
});
