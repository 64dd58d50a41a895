import { expect, it } from 'vitest';
import { isLogLine } from './failures.ts';
import { isVeristatHeader, numberOf, readVeristat } from './veristat.ts';

const CSV = `file_name,prog_name,verdict,duration,total_insns,total_states,peak_states
a.bpf.o,count,success,182,64,5,5
a.bpf.o,drop,failure,77,1000001,16668,16668
`;

it('reads a row for each program, with sums of what can be added up', () => {
  const table = readVeristat(CSV);
  expect(table?.columns.map(({ title, total }) => [title, total])).toEqual([
    ['File', null],
    ['Program', null],
    ['Verdict', null],
    ['Duration, µs', 259],
    ['Instructions', 1000065],
    ['States', 16673],
    ['Peak states', null],
  ]);
  expect(table?.rows).toHaveLength(2);
  expect(table?.verdicts).toEqual(
    new Map([
      ['success', 1],
      ['failure', 1],
    ]),
  );
});

it('reads the comparison of two files', () => {
  const table =
    readVeristat(`file_name,prog_name,verdict_base,verdict_comp,verdict_diff,total_insns_base,total_insns_comp,total_insns_diff
a.bpf.o,count,success,failure,MISMATCH,64,80,+16 (+25.00%)
a.bpf.o,drop,success,success,MATCH,10,9,-1 (-10.00%)
`);
  expect(
    table?.columns.slice(4).map(({ title, total, isNumber }) => [title, total, isNumber]),
  ).toEqual([
    ['Verdict, difference', null, false],
    ['Instructions, first', 74, true],
    ['Instructions, second', 89, true],
    ['Instructions, difference', 15, true],
  ]);
  expect(table?.verdicts.get('failure')).toBe(1);
});

it('leaves out rows of another length, and refuses other tables', () => {
  expect(readVeristat(`${CSV}b.bpf.o,cut\n`)?.rows).toHaveLength(2);
  expect(readVeristat('a,b,c\n1,2,3\n')).toBeNull();
  expect(isVeristatHeader('file_name,prog_name')).toBe(false);
  expect(isVeristatHeader('file_name,prog_name,colour')).toBe(false);
  expect(isLogLine(CSV.split('\n')[0] ?? '')).toBe(true);
  expect(numberOf('12 apples')).toBeNull();
});
