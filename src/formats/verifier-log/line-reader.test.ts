import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';

function classesOf(...lines: string[]): string[] {
  const reader = new LineReader();
  return lines.map((line) => reader.read(line).class);
}

describe('LineReader', () => {
  it.each([
    ['func#0 @0', 'func'],
    ['Validating f() func#1...', 'func'],
    ["Func#1 ('f') is safe for any args that match its prototype", 'func'],
    ['Func#1 is global and valid. Skipping.', 'func'],
    ['caller:', 'func'],
    ['to caller at 5:', 'func'],
    ["func 'f' arg0 has btf_id 114 type STRUCT 's'", 'arg-info'],
    ['mark_precise: frame0: last_idx 1 first_idx 0 subseq_idx -1 ', 'mark_precise'],
    ['last_idx 1 first_idx 0', 'mark_precise'],
    ['regs=4 stack=0 before 0: (b7) r1 = 0', 'mark_precise'],
    ["parent didn't have regs=4 stack=0 marks", 'mark_precise'],
    ['frame 0: propagating r1,fp-8', 'mark_precise'],
    ['SCC enter (1)', 'scc'],
    ['(0,3) frame 0 insn 6 +live -8 ', 'liveness'],
    ['      3: ..2....... (07) r2 += -4', 'liveness'],
    ['  1   9: .1234..... (85) call bpf_loop#181', 'liveness'],
    ['100: 0.....67.. (2d) if r6 > r7 goto pc+0', 'liveness'],
    ['stack depth 8+16', 'summary'],
    ['verification time 26 usec', 'summary'],
    ['processed 3 insns (limit 1000000) max_states_per_insn 0', 'summary'],
    ['', 'empty'],
    ['R1 !read_ok', 'other'],
    ['from here to there', 'other'],
  ])('gives the class of %j', (line, lineClass) => {
    expect(classesOf(line)).toEqual([lineClass]);
  });

  it('takes rows of the tables before the walk for no walked instructions', () => {
    const lines = [
      'subprog#0 p:',
      ' 99: (b7) r0 = 0',
      '100: (95) exit',
      'stack use/def subprog#0 p (d0,cs0):',
      '100: (95) exit',
      'Live regs before insn:',
      '    100: 0......... (95) exit',
      '0: R1=ctx() R10=fp0',
      '100: (95) exit',
    ];
    expect(classesOf(...lines)).toEqual([
      ...['listing', 'listing', 'listing', 'listing', 'listing'],
      ...['liveness', 'liveness', 'state', 'insn'],
    ]);
  });

  it('ends a block at the next line of the log', () => {
    const lines = [
      'Verification failed: Policy: Operation is not allowed',
      '',
      'Reason:',
      '  7: (95) exit',
      '',
      'BPF_EXIT instruction in main prog would lead to reference leak',
    ];
    expect(classesOf(...lines)).toEqual(['block', 'block', 'block', 'block', 'block', 'other']);
  });

  it('gives the instruction that a line is about', () => {
    const reader = new LineReader();
    const insns = ['7: (95) exit', '8: R0=0', '9: safe', 'from 3 to 7: R0=0', 'R1 !read_ok'];
    expect(insns.map((line) => reader.read(line).insn)).toEqual([7, 8, 9, 7, -1]);
  });
});
