/** Small logs of the verifier for tests, in the forms of several kernels, and their tables. */
import { LogTable, LogTableBuilder } from '#analysis/verifier/log-table.ts';

/** Returns the table of a text whose bytes arrive in pieces of `pieceSize`. */
export function logTable(text: string | Uint8Array, pieceSize = 1 << 16): LogTable {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const builder = new LogTableBuilder();
  for (let start = 0; start < bytes.length; start += pieceSize) {
    builder.add(bytes.subarray(start, start + pieceSize));
  }
  return new LogTable(builder.finish(), bytes.length, (start, end) => bytes.subarray(start, end));
}

/** Classes of all lines of a table. */
export function classesIn(table: LogTable): string[] {
  return Array.from({ length: table.lineCount }, (_, line) => table.classOf(line));
}

const SUMMARY =
  'processed 5 insns (limit 1000000) max_states_per_insn 0 total_states 1 peak_states 1 mark_read 0';

/** Level 1 of Linux 6.18: refused. */
export const REFUSED = `0: R1=ctx() R10=fp0
; int f(void *ctx) @ a.c:4
0: (b7) r2 = 5                        ; R2=5
; if (*(int *)ctx) @ a.c:5
1: (61) r1 = *(u32 *)(r1 +0)          ; R1=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff))
2: (55) if r1 != 0x0 goto pc+1 4: R1=0 R2=5 R10=fp0
4: (79) r0 = *(u64 *)(r2 +0)
R2 invalid mem access 'scalar'
${SUMMARY}
`;

/** Level 2 of Linux 7.3, with tables before the walk: accepted. */
export const ACCEPTED = `func#0 @0
topo_order[0] = f
subprog#0: analyzing (depth 0)...
 99: (bf) r3 = r10\tr3: _ -> fp0+0
subprog#0 f:
100: (b7) r0 = 0
101: (95) exit
stack use/def subprog#0 f (d0,cs0):
100: (b7) r0 = 0
101: (95) exit
Live regs before insn:
      0: .......... (b7) r0 = 0                           ; zext
0: R1=ctx() R10=fp0
; return 0; @ a.c:7
0: (b7) r0 = 0                        ; R0=0
mark_precise: frame0: last_idx 1 first_idx 0 subseq_idx -1 
100: (b7) r0 = 0

from 0 to 101: R0=0 R10=fp0
101: (95) exit

from 0 to 101: safe
${SUMMARY}
`;

/** Level 2 of Linux 5.10: refused. */
export const OLD = `func#0 @0
0: R1=ctx(id=0,off=0,imm=0) R10=fp0
; int f(void *ctx)
0: (b7) r2 = 5
1: R1=ctx(id=0,off=0,imm=0) R2_w=invP5 R10=fp0
last_idx 1 first_idx 0
regs=4 stack=0 before 0: (b7) r2 = 5
1: (79) r0 = *(u64 *)(r2 +0)
R2 invalid mem access 'inv'
${SUMMARY}
`;

/** Level 1 of Linux 5.10: refused, without states beside the instructions. */
export const OLD_PATH = `0: (85) call pc+1
caller:
 R10=fp0
callee:
 frame1: R1=ctx(id=0,off=0,imm=0) R10=fp0
; return 8;
2: (b7) r0 = 8
3: (95) exit
returning from callee:
 frame1: R0_w=invP8 R1=ctx(id=0,off=0,imm=0) R10=fp0
to caller at 1:
 R0_w=invP8 R10=fp0

from 3 to 1: R0_w=invP8 R10=fp0
1: (95) exit
At program exit the register R0 has value (0x8; 0x0) should have been in (0x0; 0x3)
${SUMMARY}
`;

/** Linux 7.3: refused, with a block, and the message after it. */
export const WITH_BLOCK = `0: R1=ctx() R10=fp0
0: (95) exit
Unreleased reference id=2 alloc_insn=0

Verification failed: Resource Lifetime Safety: Unreleased resource

Reason:
  Owned resource (id=2) still needs to be released.

At:
  insn 0
        | ^-- error: owned resource (id=2) still needs release
  Instruction context:
  >>> 0 | (95) exit

Suggestion:
  Release it.

BPF_EXIT instruction in main prog would lead to reference leak
${SUMMARY}
`;

/** Level 4 only: refused. */
export const STATISTICS = `R2 !read_ok
verification time 26 usec
stack depth 8+16
${SUMMARY}
`;

/** All logs, by name. */
export const LOGS: Readonly<Record<string, string>> = {
  refused: REFUSED,
  accepted: ACCEPTED,
  old: OLD,
  'the path of an old kernel': OLD_PATH,
  'with a block': WITH_BLOCK,
};
