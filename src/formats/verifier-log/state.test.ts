import { describe, expect, it } from 'vitest';
import { isStateAt, readState } from './state.ts';

const read = (text: string) => readState(text, 0, false);
const register = (text: string) => read(`R1=${text}`).regs.get('R1');
const slot = (text: string) => read(`fp-8=${text}`).stack.get('fp-8');

describe('readState', () => {
  it('reads registers, slots, references, flags and the frame in order', () => {
    const state = read('frame1: R0=0 R10=fp0 fp-8=mmmm???? refs=2,5 cb');
    expect(state).toMatchObject({ frame: 1, refs: [2, 5], flags: ['cb'], isFull: false });
    expect([...state.regs.keys(), ...state.stack.keys()]).toEqual(['R0', 'R10', 'fp-8']);
  });

  it.each([
    ['5', { type: 'scalar', const: '5', kv: [] }],
    ['-1', { type: 'scalar', const: '-1', kv: [] }],
    ['0xffffffff', { type: 'scalar', const: '0xffffffff', kv: [] }],
    ['P5', { type: 'scalar', const: '5', kv: [], precise: true }],
    ['Pscalar()', { type: 'scalar', kv: [], precise: true }],
    ['fp-16', { type: 'fp', off: '-16', kv: [] }],
    ['fp[0]-8', { type: 'fp', off: '-8', kv: [], frame: 0 }],
    [
      'fp[2](off=-8,smin=0)',
      {
        type: 'fp',
        kv: [
          ['off', '-8'],
          ['smin', '0'],
        ],
        frame: 2,
      },
    ],
    ['arena', { type: 'arena', kv: [], isBare: true }],
    ['ctx()', { type: 'ctx', kv: [] }],
    [
      'trusted_ptr_or_null_task_struct(id=2+4)',
      {
        type: 'trusted_ptr_or_null_task_struct',
        kv: [['id', '2+4']],
      },
    ],
    [
      'ptr_el(non_own_ref,off=8)',
      {
        type: 'ptr_el',
        kv: [
          ['non_own_ref', ''],
          ['off', '8'],
        ],
      },
    ],
    [
      'map_ptr(map=,ks=4)',
      {
        type: 'map_ptr',
        kv: [
          ['map', ''],
          ['ks', '4'],
        ],
      },
    ],
  ])('reads the value %s', (text, value) => {
    expect(register(text)).toEqual(value);
  });

  it('spreads joined bounds, and keeps the space inside of var_off', () => {
    expect(register('scalar(smin=umin=3,var_off=(0x0; 0xff))')?.kv).toEqual([
      ['smin', '3'],
      ['umin', '3'],
      ['var_off', '(0x0; 0xff)'],
    ]);
  });

  it.each([
    ['inv(id=0)', { type: 'scalar', kv: [['id', '0']] }],
    ['invP7', { type: 'scalar', const: '7', kv: [], precise: true }],
    ['inv-1', { type: 'scalar', const: '-1', kv: [] }],
    [
      'inv(id=0,smin_value=-5,u32_max_value=9)',
      {
        type: 'scalar',
        kv: [
          ['id', '0'],
          ['smin', '-5'],
          ['umax32', '9'],
        ],
      },
    ],
    ['fp0,call_-1', { type: 'fp', off: '0', kv: [['call', '-1']] }],
  ])('gives the value %s of older kernels the newer spelling', (text, value) => {
    expect(register(text)).toEqual(value);
  });

  it('takes a state for full where its spelling is of a kernel that prints all registers', () => {
    expect(read('R1=ctx(id=0,off=0,imm=0) R10=fp0').isFull).toBe(true);
    expect(read('R1=ctx(off=0,imm=0) R10=fp0').isFull).toBe(false);
  });

  it('keeps liveness marks', () => {
    expect(read('R1_rw=5 fp-8_w=map_value').regs.get('R1')?.live).toBe('rw');
    expect(read('R1_rw=5 fp-8_w=map_value').stack.get('fp-8')).toEqual({
      type: 'map_value',
      kv: [],
      isBare: true,
      live: 'w',
    });
  });

  it.each([
    ['????mmmm', { type: 'slots', kv: [], bytes: '????mmmm' }],
    ['00000000', { type: 'slots', kv: [], bytes: '00000000' }],
    ['????0', { type: 'scalar', const: '0', kv: [], bytes: '????' }],
    ['00001234', { type: 'scalar', const: '1234', kv: [], bytes: '0000' }],
    ['mmmmscalar(id=1)', { type: 'scalar', kv: [['id', '1']], bytes: 'mmmm' }],
    ['0', { type: 'scalar', const: '0', kv: [] }],
    ['', { type: 'scalar', kv: [], isBare: true }],
    ['P', { type: 'scalar', kv: [], isBare: true, precise: true }],
    [
      'iter_num(ref_id=1,state=active,depth=0)',
      {
        type: 'iter_num',
        kv: [
          ['ref_id', '1'],
          ['state', 'active'],
          ['depth', '0'],
        ],
      },
    ],
  ])('reads the slot %s', (text, value) => {
    expect(slot(text)).toEqual(value);
  });

  it('leaves out a value that the end of the log cuts', () => {
    expect([...read('R0=0 R1=scalar(smin=0,var_off=(0x0; 0x').regs.keys()]).toEqual(['R0']);
  });

  it('stops at text that is none of a state', () => {
    expect([...read('R0=0 !read_ok R1=1').regs.keys()]).toEqual(['R0']);
  });
});

it('tells a state from a message about a register', () => {
  expect(isStateAt('R1=ctx()', 0)).toBe(true);
  expect(isStateAt('R1 !read_ok', 0)).toBe(false);
  expect(isStateAt('R1 type=ctx expected=fp', 0)).toBe(false);
});
