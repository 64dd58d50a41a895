import { expect, test } from 'vitest';
import { KNOWS_LESS, KNOWS_MORE } from '#testing/compared-logs.ts';
import { verifierLogs } from '#testing/verifier-programs.ts';
import { walkOfText } from '#testing/verifier-walks.ts';
import { compareWalks, type WalkComparison } from './compare-walks.ts';

function compared(
  first: string,
  second: string,
  isRefused: readonly [boolean, boolean] = [false, true],
) {
  return compareWalks(walkOfText(first), walkOfText(second), isRefused);
}

/** Returns the rows as `first source | second source`, with what differs. */
function rowsOf({ lines }: WalkComparison): string[] {
  return lines.map(({ sides, differences }) => {
    const texts = sides.map((side) => side?.text ?? '-').join(' | ');
    const found = differences.map(({ names, kinds, second }) => `${names[1]} ${kinds} ${second}`);
    return found.length === 0 ? texts : `${texts}: ${found.join(', ')}`;
  });
}

test('two kernels: equal ranges in other words are equal, the first loss is found', () => {
  const comparison = compared(KNOWS_MORE, KNOWS_LESS);
  expect(comparison.isSameCode).toBe(true);
  expect(comparison.steps).toEqual([7, 6]);
  expect(comparison.shared).toBe(6);
  const line = comparison.lines[comparison.firstLess];
  expect(line?.sides[0]).toMatchObject({ file: 'a.c', line: 5, steps: 3 });
  expect(line?.sides[1]).toMatchObject({ file: null, line: null, steps: 3 });
  expect(line?.differences).toMatchObject([
    { kinds: ['null'], second: 'less', names: ['R0', 'R0'], isAfter: true },
  ]);
  expect(line?.differences[0]?.places).toMatchObject([{ insn: 5 }, { insn: 5 }]);
  const back = compared(KNOWS_LESS, KNOWS_MORE, [true, false]);
  expect(back.firstLess).toBe(-1);
  expect(rowsOf(back)).toContain(
    'e = bpf_map_lookup_elem(&m, &k); | e = bpf_map_lookup_elem(&m, &k);: R0 null more',
  );
});

test('a log is equal to itself', () => {
  const comparison = compared(KNOWS_MORE, KNOWS_MORE, [false, false]);
  expect(comparison.lines.flatMap(({ differences }) => differences)).toEqual([]);
  expect(comparison.firstLess).toBe(-1);
  expect(comparison.isCut).toBe(false);
});

test('a change: lines that only one program has are rows of their own, registers may move', () => {
  const changed = `0: R1=ctx() R10=fp0
; n = bpf_get_prandom_u32(); @ a.c:3
0: (85) call bpf_get_prandom_u32#7    ; R0=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff))
; i = 7; @ a.c:4
1: (b7) r8 = 7                        ; R8=7
; e = bpf_map_lookup_elem(&m, &k); @ a.c:5
2: (18) r1 = 0xffff8885160e0c00       ; R1=map_ptr(map=m,ks=4,vs=8)
4: (bf) r7 = r0                       ; R0=scalar(id=1,smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff)) R7=scalar(id=1,smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff))
5: (85) call bpf_map_lookup_elem#1    ; R0=map_value(map=m,ks=4,vs=8)
; return *e; @ a.c:6
6: (79) r0 = *(u64 *)(r0 +0)          ; R0=scalar()
7: (95) exit
processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
  const comparison = compared(KNOWS_MORE, changed, [false, false]);
  expect(comparison.isSameCode).toBe(false);
  expect(rowsOf(comparison)).toEqual([
    'n = bpf_get_prandom_u32(); | n = bpf_get_prandom_u32();',
    'n &= 63; | -',
    '- | i = 7;',
    'e = bpf_map_lookup_elem(&m, &k); | e = bpf_map_lookup_elem(&m, &k);: R0 range less, R7 range less',
    'return *e; | return *e;',
  ]);
});

test('of a log of level 2 the path is compared that the other log walked', () => {
  const tree = `0: R1=ctx() R10=fp0
0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (25) if r0 > 0x40 goto pc+2        ; R0=scalar(smin=0,smax=umax=64)
2: (b7) r6 = 1                        ; R6=1
3: (95) exit

from 1 to 4: R0=scalar(umin=65) R1=ctx() R10=fp0
4: (bf) r6 = r0                       ; R0=scalar(umin=65) R6=scalar(umin=65)
5: (95) exit
processed 6 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
  const one = `0: R1=ctx() R10=fp0
0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (25) if r0 > 0x40 goto pc+2        ; R0=scalar(smin=0,smax=umax=64)
2: (b7) r6 = 1                        ; R6=1
3: (95) exit
invalid
processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
  expect(compared(tree, one).shared).toBe(4);
  const other = one.replace('2: (b7) r6 = 1                        ; R6=1\n3: (95) exit\n', '');
  const jumped = `${other.split('invalid')[0]}from 1 to 4: R0=scalar(umin=65) R1=ctx() R10=fp0
4: (bf) r6 = r0                       ; R0=scalar() R6=scalar()
invalid
processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
  const comparison = compared(tree, jumped);
  expect(comparison.shared).toBe(3);
  expect(comparison.lines[comparison.firstLess]?.differences[0]).toMatchObject({
    places: [{ insn: 4 }, { insn: 4 }],
    kinds: ['range'],
  });
});

test('says where the paths part', () => {
  const head = `0: R1=ctx() R10=fp0
0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (15) if r0 == 0x0 goto pc+1        ; R0=scalar(umin=1)
`;
  const end =
    'processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n';
  const next = `${head}2: (b7) r0 = 0                        ; R0=0\n3: (95) exit\n${end}`;
  const jumped = `${head}3: (95) exit\n${end}`;
  const { apart, shared } = compared(next, jumped, [false, false]);
  expect(shared).toBe(2);
  expect(apart).toEqual([
    { insn: 1, logLine: 2 },
    { insn: 1, logLine: 2 },
  ]);
  expect(compared(head + end, next, [false, false]).apart).toBeNull();
});

test('programs before and after their repair: lines pair by text, nothing is thrown', () => {
  const logs = verifierLogs().filter(({ level }) => level !== null);
  let count = 0;
  for (const refused of logs.filter(({ errno }) => errno !== 0)) {
    const repaired = logs.find(
      ({ program, errno, level }) =>
        program === refused.program && errno === 0 && level === refused.level,
    );
    if (repaired === undefined) continue;
    let comparison: WalkComparison;
    try {
      comparison = compared(refused.text, repaired.text, [true, false]);
    } catch (error) {
      if (error instanceof Error && error.message.includes('no log of the verifier')) continue;
      throw error;
    }
    const total = (side: 0 | 1) =>
      comparison.lines.reduce((sum, { sides }) => sum + (sides[side]?.steps ?? 0), 0);
    expect([total(0), total(1)], refused.program).toEqual(comparison.steps);
    count += 1;
  }
  expect(count).toBeGreaterThan(7);
});
