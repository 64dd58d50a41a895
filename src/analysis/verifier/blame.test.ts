import { expect, test } from 'vitest';
import { walkOfText } from '#testing/verifier-walks.ts';
import { type BlameHint, blameFor } from './blame.ts';
import { slotUnder } from './lineage.ts';
import type { Question } from './question.ts';

/** Returns what is blamed for the last step of a log. */
function blame(log: string, register: string | null, question: Question, hint: BlameHint = {}) {
  const walk = walkOfText(log);
  const { insn, chain } = blameFor(walk, walk.stepCount - 1, register, question, hint);
  return { insn, chain };
}

const START = '0: R1=ctx() R10=fp0\n';

const SPILLED = `${START}0: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8)
1: (7b) *(u64 *)(r10 -16) = r0        ; R0=map_value_or_null(id=1,map=m,ks=4,vs=8) R10=fp0 fp-16=map_value_or_null(id=1,map=m,ks=4,vs=8)
2: (b7) r7 = 0                        ; R7=0
3: (79) r7 = *(u64 *)(r10 -16)        ; R7=map_value_or_null(id=1,map=m,ks=4,vs=8) R10=fp0 fp-16=map_value_or_null(id=1,map=m,ks=4,vs=8)
4: (79) r0 = *(u64 *)(r7 +0)
`;

test('follows a pointer over a spill and a fill to the call that returned it', () => {
  expect(blame(SPILLED, 'R7', 'null')).toEqual({ insn: 0, chain: [0, 1, 3, 4] });
});

const INDEXED = `${START}0: (bf) r7 = r1                       ; R1=ctx() R7=ctx()
1: (18) r0 = 0xffff888102f27800       ; R0=map_value(map=m,ks=4,vs=64)
3: (61) r1 = *(u32 *)(r7 +8)          ; R1=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff)) R7=ctx()
4: (57) r1 &= 255                     ; R1=scalar(smin=0,smax=umax=255,var_off=(0x0; 0xff))
5: (25) if r1 > 0x40 goto pc+2        ; R1=scalar(smin=0,smax=umax=64,var_off=(0x0; 0x7f))
6: (0f) r0 += r1                      ; R0=map_value(map=m,ks=4,vs=64,smin=0,smax=umax=64,var_off=(0x0; 0x7f)) R1=scalar(smin=0,smax=umax=64,var_off=(0x0; 0x7f))
7: (71) r6 = *(u8 *)(r0 +0)
`;

test('blames the instruction that set the wrong bound of a number last', () => {
  expect(blame(INDEXED, 'R0', 'range')).toEqual({ insn: 4, chain: [3, 4, 6, 7] });
  expect(blame(INDEXED, 'R0', 'range', { bound: 'max' })).toEqual({
    insn: 5,
    chain: [3, 4, 5, 6, 7],
  });
  expect(blame(INDEXED, 'R0', 'range', { bound: 'min' }).insn).toBe(4);
  expect(blame(INDEXED, 'R0', 'unbounded').insn).toBe(3);
  expect(blame(INDEXED, 'R0', 'offset').insn).toBe(6);
  expect(blame(INDEXED, 'R0', 'value')).toEqual({ insn: 1, chain: [1, 6, 7] });
});

test('passes the bounds of a number on over a multiplication by a constant', () => {
  const scaled = INDEXED.replace(
    /^6: .*\n7: .*\n/m,
    `6: (67) r1 <<= 2                      ; R1=scalar(smin=0,smax=umax=256,var_off=(0x0; 0x1fc))
7: (0f) r0 += r1                      ; R0=map_value(map=m,ks=4,vs=64,smin=0,smax=umax=256,var_off=(0x0; 0x1fc)) R1=scalar(smin=0,smax=umax=256,var_off=(0x0; 0x1fc))
8: (71) r6 = *(u8 *)(r0 +0)
`,
  );
  expect(blame(scaled, 'R0', 'range').insn).toBe(4);
  expect(blame(scaled, 'R0', 'range', { bound: 'max' }).insn).toBe(5);
});

const RELEASED = `${START}0: (85) call bpf_sk_lookup_tcp#84     ; R0=sock(id=2) refs=2
1: (bf) r7 = r0                       ; R0=sock(id=2) R7=sock(id=2) refs=2
2: (bf) r1 = r7                       ; R1=sock(id=2) R7=sock(id=2) refs=2
3: (85) call bpf_sk_release#86        ;
4: (bf) r1 = r7                       ; R1=scalar() R7=scalar()
5: (85) call bpf_sk_release#86
`;

test('blames the first release of a reference, with and without states', () => {
  expect(blame(RELEASED, 'R1', 'value').insn).toBe(3);
  const bare = RELEASED.replaceAll(/ +;.*$/gm, '');
  expect(blame(bare, 'R1', 'value').insn).toBe(3);
  expect(blame(bare.replace('sk_release', 'sk_assign'), 'R1', 'value').insn).toBe(0);
});

test('blames the call that took a value away', () => {
  const log = `${START}0: (61) r6 = *(u32 *)(r1 +76)         ; R1=ctx() R6=pkt(r=0)
1: (85) call bpf_skb_pull_data#39     ; R0=scalar()
2: (71) r0 = *(u8 *)(r6 +0)
`;
  expect(blame(log, 'R6', 'value')).toEqual({ insn: 1, chain: [0, 1, 2] });
  const clobbered = `${START}0: (b7) r2 = 7                        ; R2=7
1: (85) call bpf_get_prandom_u32#7    ; R0=scalar()
2: (bf) r0 = r2
`;
  expect(blame(clobbered, 'R2', 'uninitialised')).toEqual({ insn: 1, chain: [0, 1, 2] });
});

test('blames the branch that skipped an assignment', () => {
  const log = `${START}0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (25) if r0 > 0x40 goto pc+1 3: R0=scalar(umin=65) R1=ctx() R10=fp0
3: (bf) r0 = r8
`;
  expect(blame(log, 'R8', 'uninitialised')).toEqual({ insn: 1, chain: [1, 3] });
  const walked = `${START}0: (61) r0 = *(u32 *)(r1 +0)          ; R0=scalar() R1=ctx()
1: (25) if r0 > 0x40 goto pc+1        ; R0=scalar(umax=64)
2: (b7) r8 = 5                        ; R8=5
3: (b7) r0 = 5                        ; R0=5
4: (95) exit

from 1 to 3: R0=scalar(umin=65) R1=ctx() R10=fp0
3: (b7) r0 = 5                        ; R0=5
4: (95) exit
`;
  expect(blame(walked, 'R8', 'uninitialised').insn).toBe(1);
  expect(blame(walked, 'R7', 'uninitialised')).toEqual({ insn: null, chain: [] });
});

test('follows a number out of a subprogram, and an argument into it', () => {
  const log = `${START}0: (61) r1 = *(u32 *)(r1 +0)          ; R1=scalar()
1: (85) call pc+1
caller:
 R10=fp0
callee:
 frame1: R1=scalar() R10=fp0
3: frame1: R1=scalar() R10=fp0
3: (bc) w0 = w1                       ; frame1: R0=scalar() R1=scalar()
4: (54) w0 &= 7                       ; frame1: R0=scalar(umax=7)
5: (95) exit
returning from callee:
 frame1: R0=scalar(umax=7) R1=scalar() R10=fp0
to caller at 2:
 R0=scalar(umax=7) R10=fp0
2: (95) exit
`;
  expect(blame(log, 'R0', 'range')).toEqual({ insn: 4, chain: [0, 3, 4, 2] });
});

test('finds the entry of an open region, and what a stack slot is used for', () => {
  const log = `${START}0: (bf) r6 = r10                      ; R6=fp0 R10=fp0
1: (07) r6 += -8                      ; R6=fp-8
2: (85) call bpf_rcu_read_lock#70000  ;
3: (85) call bpf_rcu_read_unlock#70001        ;
4: (85) call bpf_rcu_read_lock#70000  ;
5: (7a) *(u64 *)(r10 -8) = 0          ; R10=fp0 fp-8=0
6: (bf) r1 = r6                       ; R1=fp-8 R6=fp-8
7: (85) call bpf_iter_num_next#70002
`;
  expect(blame(log, null, 'region-rcu')).toEqual({ insn: 4, chain: [4, 7] });
  expect(blame(log, null, 'region-lock')).toEqual({ insn: null, chain: [] });
  expect(slotUnder(walkOfText(log), 7, 'R1')).toBe('fp-8');
  expect(blame(log, 'fp-8', 'uninitialised')).toEqual({ insn: 5, chain: [5, 7] });
  expect(blame(log, 'R1', 'slot')).toEqual({ insn: 5, chain: [5, 6, 7] });
});

test('finds the comparison of a packet, and the loop of a path', () => {
  const packet = `${START}0: (61) r2 = *(u32 *)(r1 +76)         ; R1=ctx() R2=pkt(r=0)
1: (61) r3 = *(u32 *)(r1 +80)         ; R1=ctx() R3=pkt_end()
2: (07) r2 += 14                      ; R2=pkt(off=14,r=0)
3: (2d) if r2 > r3 goto pc+4          ; R2=pkt(off=14,r=14) R3=pkt_end()
4: (71) r1 = *(u8 *)(r2 +9)
`;
  expect(blame(packet, 'R2', 'packet')).toEqual({ insn: 3, chain: [0, 2, 3, 4] });
  const round = `1: (07) r1 += 1                       ; R1=1
2: (15) if r1 == 0x7fff goto pc+1     ; R1=1
3: (05) goto pc-3
`;
  const loop = `${START}0: (b7) r1 = 0                        ; R1=0\n${round.repeat(3)}`;
  expect(blame(loop, null, 'loop')).toEqual({ insn: 2, chain: [1, 2, 3] });
});

test('gives no blame without a walk, but for an instruction that the message names', () => {
  const walk = walkOfText(`func#0 @0\nunknown opcode df\nprocessed 0 insns (limit 1000000)`);
  expect(blameFor(walk, -1, null, 'constant', { insn: 1 })).toMatchObject({ insn: 1, chain: [1] });
  expect(blameFor(walk, -1, 'R1', 'value')).toMatchObject({ insn: null, chain: [] });
});

test('blames the call that released a reference where Linux 5.10 prints the state on its own line', () => {
  const rest = 'R7_w=sock(id=0,ref_obj_id=2,off=0,imm=0) R10=fp0 refs=2';
  const log = `0: R1=ctx(id=0,off=0,imm=0) R10=fp0
0: (85) call bpf_sk_lookup_tcp#84
1: R0_w=sock(id=0,ref_obj_id=2,off=0,imm=0) R10=fp0 refs=2
1: (bf) r7 = r0
2: R0_w=sock(id=0,ref_obj_id=2,off=0,imm=0) ${rest}
2: (bf) r1 = r7
3: R1_w=sock(id=0,ref_obj_id=2,off=0,imm=0) ${rest}
3: (85) call bpf_sk_release#86
4: R0=inv(id=0) R7=inv(id=0) R10=fp0
4: (bf) r1 = r7
5: R0=inv(id=0) R1_w=inv(id=3) R7=inv(id=3) R10=fp0
5: (85) call bpf_sk_release#86
`;
  expect(blame(log, 'R1', 'value').insn).toBe(3);
});
