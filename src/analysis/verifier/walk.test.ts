import { expect, test } from 'vitest';
import { walkOfText } from '#testing/verifier-walks.ts';
import { StepStates } from './step-states.ts';

const TWO_PATHS = `func#0 @0
0: R1=ctx() R10=fp0
; if (skb->len > 64) @ a.c:3
0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar(umax=0xffffffff) R1=ctx()
1: (25) if r0 > 0x40 goto pc+2        ; R0=scalar(umax=64)
; return 1; @ a.c:4
2: (b7) r0 = 1                        ; R0=1
3: (95) exit

from 1 to 4: R0=scalar(umin=65) R1=ctx() R10=fp0
; x = 2; @ a.c:5
4: (b7) r6 = 2                        ; R6=2
5: (15) if r0 == 0x7 goto pc+1        ; R0=scalar(umin=65)
6: (b7) r0 = 0                        ; R0=0
7: (95) exit

from 5 to 7: safe
processed 8 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;

test('finds the branch that a path comes from, and what was pruned', () => {
  const walk = walkOfText(TWO_PATHS);
  expect([...walk.insns]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect([...walk.parents]).toEqual([-1, 0, 1, 2, 1, 4, 5, 6]);
  expect(walk.edgeOf(4)).toBe('popped');
  expect(walk.pathTo(6)).toEqual([0, 1, 4, 5, 6]);
  expect(walk.prunes).toMatchObject([{ insn: 7, parent: 5, earlier: 7 }]);
  expect(walk.sourceOf(6)).toMatchObject({ text: 'x = 2;', file: 'a.c', line: 5 });
});

test('adds changes up to the state before and after a step', () => {
  const walk = walkOfText(TWO_PATHS);
  const states = new StepStates(walk);
  const before = states.before(6);
  expect([...before.regs.keys()].sort()).toEqual(['R0', 'R1', 'R10', 'R6']);
  expect(before.regs.get('R6')?.const).toBe('2');
  expect(before.isFull).toBe(true);
  expect(states.before(2).regs.has('R6')).toBe(false);
  expect(states.after(6).regs.get('R0')?.const).toBe('0');
  expect(states.registerBefore(6, 1)?.type).toBe('ctx');
});

test('removes from a state what a call takes away', () => {
  const walk = walkOfText(`0: R1=ctx() R10=fp0
0: (61) r6 = *(u32 *)(r1 +76)         ; R1=ctx() R6=pkt(r=0)
1: (85) call bpf_sk_lookup_tcp#84     ; R0=sock_or_null(id=2,ref_obj_id=2) refs=2
2: (bf) r7 = r0                       ; R0=sock_or_null(id=2,ref_obj_id=2) R7=sock_or_null(id=2,ref_obj_id=2) refs=2
3: (15) if r0 == 0x0 goto pc+5        ; R0=sock(ref_obj_id=2) refs=2
4: (bf) r1 = r7                       ; R1=sock(ref_obj_id=2) R7=sock(ref_obj_id=2) refs=2
5: (85) call bpf_sk_release#86        ;
6: (85) call bpf_skb_pull_data#39     ; R0=scalar()
7: (95) exit
`);
  const states = new StepStates(walk);
  // A check of R0 is one of its copy.
  expect(states.before(4).regs.get('R7')?.type).toBe('sock');
  expect(states.before(4).refs).toEqual([2]);
  expect([...states.before(6).regs.keys()].sort()).toEqual(['R10', 'R6']);
  expect(states.before(6).refs).toEqual([]);
  expect([...states.before(7).regs.keys()].sort()).toEqual(['R0', 'R10']);
});

test('reads a path of level 1, whose first half is in the line of a branch', () => {
  const walk = walkOfText(`0: R1=ctx() R10=fp0
; ASM( @ a.c:5
0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (25) if r0 > 0x40 goto pc+1 3: R0=scalar(umin=65,var_off=(0x0; 0xff)) R1=ctx() R10=fp0
3: (bf) r0 = r8
R8 !read_ok
processed 6 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  expect(walk.edgeOf(2)).toBe('popped');
  expect(walk.sourceOf(2)?.isUncertain).toBe(true);
  expect(new StepStates(walk).before(2).regs.get('R0')?.kv[0]).toEqual(['umin', '65']);
});

test('is not certain of a line that another path may have cut out', () => {
  const log = `0: R1=ctx() R10=fp0
; if (skb->mark == 0) @ a.c:5
0: (61) r0 = *(u32 *)(r1 +8)          ; R0=scalar() R1=ctx()
1: (15) if r0 == 0x0 goto pc+2 4: R0=0 R10=fp0
4: (b7) r6 = 0                        ; R6=0
5: (bf) r0 = r8
; return x; @ a.c:9
6: (95) exit
R8 !read_ok
processed 6 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
  const uncertain = (text: string) => {
    const walk = walkOfText(text);
    return Array.from(walk.insns, (_, step) => walk.sourceOf(step)?.isUncertain);
  };
  expect(uncertain(log)).toEqual([false, false, true, true, false]);
  // Level 2 keeps what other paths printed.
  expect(uncertain(`func#0 @0\n${log}`)).toEqual([false, false, false, false, false]);
});

test('follows calls of subprograms and their returns', () => {
  const walk = walkOfText(`0: R1=ctx() R10=fp0
0: (85) call pc+1
caller:
 R10=fp0
callee:
 frame1: R1=ctx() R10=fp0
2: frame1: R1=ctx() R10=fp0
2: (b7) r0 = 7                        ; frame1: R0=7
3: (95) exit
returning from callee:
 frame1: R0=7 R1=ctx() R10=fp0
to caller at 1:
 R0=7 R10=fp0

from 3 to 1: R0=7 R10=fp0
1: (95) exit
`);
  expect([...walk.frames]).toEqual([0, 1, 1, 0]);
  expect([...walk.parents]).toEqual([-1, 0, 1, 2]);
  expect(walk.edgeOf(3)).toBe('next');
});

test('finds the branch of a path where Linux 5.10 does not print it', () => {
  const walk = walkOfText(`0: R1=ctx(id=0,off=0,imm=0) R10=fp0
0: (61) r0 = *(u32 *)(r1 +0)
1: R0_w=inv(id=0) R1=ctx(id=0,off=0,imm=0) R10=fp0
1: (15) if r0 == 0x0 goto pc+1
 R0_w=inv(id=0) R1=ctx(id=0,off=0,imm=0) R10=fp0
2: R0_w=inv(id=0) R1=ctx(id=0,off=0,imm=0) R10=fp0
2: (95) exit
3: R0_w=inv0 R1=ctx(id=0,off=0,imm=0) R10=fp0
3: (95) exit
`);
  expect([...walk.parents]).toEqual([-1, 0, 1, 1]);
  expect(new StepStates(walk).before(3).regs.get('R0')?.const).toBe('0');
});

test('states that the search for precise numbers prints are not of the next step', () => {
  const walk = walkOfText(`0: R1=ctx(id=0,off=0,imm=0) R10=fp0
0: (bf) r7 = r0
 R0=map_value(id=0,off=0,ks=4,vs=64,imm=0) R7_w=map_value(id=0,off=0,ks=4,vs=64,imm=0) R10=fp0
1: (0f) r7 += r1
last_idx 1 first_idx 0
regs=2 stack=0 before 0: (bf) r7 = r0
 R0_rw=map_value(id=0,off=0,ks=4,vs=64,imm=0) R7_rw=map_value(id=0,off=0,ks=4,vs=64,imm=0) R10=fp0
parent didn't have regs=2 stack=0 marks
2: (71) r6 = *(u8 *)(r7 +0)
 R7_w=map_value(id=0,off=0,ks=4,vs=64,smin_value=-100,smax_value=39) R10=fp0
R7 min value is negative, either use unsigned index or do a if (index >=0) check.
processed 3 insns (limit 1000000) max_states_per_insn 0 total_states 1 peak_states 1 mark_read 1
`);
  expect(new StepStates(walk).registerBefore(2, 7)).toBeUndefined();
});

test('a comparison of a packet pointer bounds its copies', () => {
  const walk = walkOfText(`0: R1=ctx() R10=fp0
0: (61) r2 = *(u32 *)(r1 +76)         ; R1=ctx() R2=pkt(r=0)
1: (61) r3 = *(u32 *)(r1 +80)         ; R1=ctx() R3=pkt_end()
2: (bf) r4 = r2                       ; R2=pkt(r=0) R4=pkt(r=0)
3: (07) r4 += 16                      ; R4=pkt(off=16,r=0)
4: (2d) if r4 > r3 goto pc+1          ; R3=pkt_end() R4=pkt(off=16,r=16)
5: (71) r0 = *(u8 *)(r2 +3)           ; R0=scalar() R2=pkt(r=16)
6: (95) exit
processed 7 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
  const states = new StepStates(walk);
  expect(states.registerBefore(4, 2)?.kv).toEqual([['r', '0']]);
  expect(states.registerBefore(5, 2)?.kv).toEqual([['r', '16']]);
  expect(states.before(5).regs.get('R2')?.kv).toEqual([['r', '16']]);
});
