import { expect, test } from 'vitest';
import { verifierLogs } from '#testing/verifier-programs.ts';
import { walkOfText } from '#testing/verifier-walks.ts';
import { StepStates } from './step-states.ts';
import { valueFlow } from './value-flow.ts';

/** Returns the instructions that a value after a step comes from, and those that use it. */
function flow(log: string, step: number, name: string) {
  const walk = walkOfText(log);
  const until = walk.stepCount - 1;
  const { from, to, isCut } = valueFlow(walk, new StepStates(walk), { step, name, until });
  expect(isCut).toBe(false);
  return { from: from.map(({ insn }) => insn), to: to.map(({ insn }) => insn) };
}

const START = '0: R1=ctx() R10=fp0\n';

const SPILLED = `${START}0: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
1: (7b) *(u64 *)(r10 -16) = r0        ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8) R10=fp0 fp-16=map_value_or_null(id=1,map=m,ks=4,vs=8)
2: (b7) r0 = 0                        ; R0=0
3: (79) r7 = *(u64 *)(r10 -16)        ; R7=map_value_or_null(id=1,map=m,ks=4,vs=8) R10=fp0 fp-16=map_value_or_null(id=1,map=m,ks=4,vs=8)
4: (79) r0 = *(u64 *)(r7 +0)
`;

test('a value goes through a spill and a fill, to the load that fails', () => {
  expect(flow(SPILLED, 0, 'R0')).toEqual({ from: [0], to: [1, 3, 4] });
  expect(flow(SPILLED, 1, 'fp-16')).toEqual({ from: [0, 1], to: [3, 4] });
  expect(flow(SPILLED, 3, 'R7')).toEqual({ from: [0, 1, 3], to: [4] });
  expect(flow(SPILLED, 2, 'R0')).toEqual({ from: [2], to: [] });
  // The path ends: the value is that before the instruction.
  expect(flow(SPILLED, 4, 'R7')).toEqual({ from: [0, 1, 3], to: [] });
});

test('a number goes into a pointer, and an argument into a subprogram and back', () => {
  const called = `${START}0: (bf) r6 = r1                       ; R1=ctx() R6=ctx()
1: (61) r1 = *(u32 *)(r6 +8)          ; R1=scalar() R6=ctx()
2: (85) call pc+2
caller:
 R6=ctx() R10=fp0
callee:
 frame1: R1=scalar() R10=fp0
5: frame1: R1=scalar() R10=fp0
5: (bf) r0 = r1                       ; frame1: R0=scalar(id=1) R1=scalar(id=1)
6: (95) exit
returning from callee:
 frame1: R0=scalar(id=1) R1=scalar(id=1) R10=fp0
to caller at 3:
 R0=scalar(id=1) R6=ctx() R10=fp0
3: R0=scalar(id=1) R6=ctx() R10=fp0
3: (0f) r6 += r0
`;
  expect(flow(called, 1, 'R1')).toEqual({ from: [1], to: [2, 5, 6, 3] });
});

test('each instruction of a loop is listed once', () => {
  const round = `1: (07) r6 += 1                       ; R6=scalar()
2: (a5) if r6 < 0x9 goto pc-2         ; R6=scalar()
`;
  const log = `${START}0: (b7) r6 = 0                        ; R6=0\n${round.repeat(400)}3: (95) exit\n`;
  expect(flow(log, 0, 'R6')).toEqual({ from: [0], to: [1, 2] });
});

test('the refused value of each program goes to the failing instruction', () => {
  let count = 0;
  for (const { program, text, errno, level } of verifierLogs()) {
    if (errno === 0 || level === null) continue;
    const walk = walkOfText(text);
    const states = new StepStates(walk);
    const last = walk.stepCount - 1;
    for (const register of walk.stepCount === 0 ? [] : (walk.textOf(last)?.reads ?? [])) {
      const name = `R${register}`;
      const { from } = valueFlow(walk, states, { step: last, name, until: last });
      const [first] = from;
      if (first === undefined || first.step === null || walk.textOf(last)?.form === 'call')
        continue;
      const writes = walk.textOf(first.step)?.writes ?? [];
      const isTaken = walk.textOf(first.step)?.clobbers.includes(register) === true;
      if (writes.length !== 1 || from.length > 1 || isTaken) continue;
      const { to } = valueFlow(walk, states, {
        step: first.step,
        name: `R${writes[0]}`,
        until: last,
      });
      expect(
        to.map(({ insn }) => insn),
        `${program} ${name}`,
      ).toContain(walk.insnOf(last));
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(10);
});
