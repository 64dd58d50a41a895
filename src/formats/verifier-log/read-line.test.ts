import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';
import { readLine } from './read-line.ts';

function read(text: string) {
  return readLine(text, new LineReader().read(text));
}

describe('readLine', () => {
  it('reads an instruction and the registers that it changes', () => {
    const line = read('7: (bf) r1 = r10                      ; R1=fp0 R10=fp0');
    expect(line).toMatchObject({ class: 'insn', i: 7, op: 'bf', text: 'r1 = r10', stateAt: null });
    expect(line.class === 'insn' && [...(line.state?.regs.keys() ?? [])]).toEqual(['R1', 'R10']);
  });

  it('has no state for an instruction that changes nothing', () => {
    const line = { class: 'insn', i: 8, op: 'b7', text: 'r7 = 0', state: null, stateAt: null };
    expect(read('8: (b7) r7 = 0    ;')).toEqual(line);
    expect(read('8: (b7) r7 = 0')).toEqual(line);
  });

  it('gives the state behind an instruction to the instruction that it names', () => {
    const line = read('2: (25) if r0 > 0x40 goto pc+1 4: R0=scalar(var_off=(0x0; 0xff)) R10=fp0');
    expect(line).toMatchObject({ i: 2, text: 'if r0 > 0x40 goto pc+1', stateAt: 4 });
    expect(line.class === 'insn' && line.state?.isFull).toBe(true);
  });

  it.each([
    ['3: BUG_ld_00', 'BUG_ld_00'],
    ['3: <invalid CO-RE relocation>', '<invalid CO-RE relocation>'],
  ])('reads %s as an instruction without an opcode', (text, words) => {
    expect(read(text)).toMatchObject({ class: 'insn', i: 3, op: '', text: words });
  });

  it('reads source lines with and without a place', () => {
    expect(read('; x = a @ b; @ c.c:7')).toEqual({
      class: 'source',
      text: 'x = a @ b;',
      file: 'c.c',
      line: 7,
    });
    expect(read('; return 0;')).toMatchObject({ text: 'return 0;', file: null, line: null });
    expect(read('11: int r = rec(x - 1);')).toMatchObject({
      class: 'source',
      text: 'int r = rec(x - 1);',
    });
  });

  it('reads the start and the end of a path', () => {
    expect(read('from 3 to 7 (speculative execution): R0=0 R10=fp0')).toMatchObject({
      class: 'from-to',
      from: 3,
      to: 7,
      isSpeculative: true,
    });
    expect(read('from 3 to 7: safe')).toEqual({ class: 'prune', i: 7, from: 3 });
    expect(read('7: safe')).toEqual({ class: 'prune', i: 7, from: null });
  });

  it('reads states with and without an index', () => {
    expect(read('7: R0=0')).toMatchObject({ class: 'state', i: 7, state: { isFull: false } });
    expect(read(' frame1: R0=0 cb')).toMatchObject({
      class: 'state',
      i: null,
      state: { frame: 1, isFull: true },
    });
    expect(read('7:')).toMatchObject({ class: 'state', i: 7 });
    expect(read('old state: R0=P0')).toMatchObject({ class: 'state-title', which: 'old' });
  });
});
