import { describe, expect, it } from 'vitest';
import { logTable, REFUSED, STATISTICS, WITH_BLOCK } from '#testing/verifier-logs.ts';
import { type Answer, answerFor } from './answer.ts';
import { MESSAGES } from './message-table.ts';

const NOTHING = { object: null, program: null, kernel: null };

function answerOf(text: string): Answer {
  const table = logTable(text);
  const part = table.parts.find(({ kind }) => kind === 'verifier');
  if (part === undefined) throw new Error('no log');
  return answerFor(table, part, NOTHING);
}

const NULL_CHECK = `0: R1=ctx() R10=fp0
; struct event *e = bpf_map_lookup_elem(&events, &key); @ a.bpf.c:12
4: (18) r1 = 0xffff888483bc5800       ; R1=map_ptr(map=events,ks=4,vs=64)
6: (85) call bpf_map_lookup_elem#1    ; R0=map_value_or_null(id=1,map=events,ks=4,vs=64)
; return e->count; @ a.bpf.c:14
7: (79) r0 = *(u64 *)(r0 +8)
R0 invalid mem access 'map_value_or_null'
processed 7 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;

describe('answer', () => {
  it('names the variable, its origin, the place and the repair', () => {
    expect(answerOf(NULL_CHECK)).toMatchObject({
      verdict: 'rejected',
      error: {
        line: "R0 invalid mem access 'map_value_or_null'",
        n: 7,
        class: 'invalid-mem-access',
        insn: 7,
        source: { file: 'a.bpf.c', line: 14 },
        register: 'R0',
      },
      blame: { insn: 6, source: { file: 'a.bpf.c', line: 12 } },
      chain: [6, 7],
      cause:
        '`e` (R0) may be NULL where it is read through at instruction 7 (a.bpf.c:14), which accesses `struct event.count`: it comes from the call of bpf_map_lookup_elem at instruction 6 (a.bpf.c:12), and no instruction on this path compares it with NULL.',
      fix: 'Write `if (!e) return 0;` after `e` is set in line 12, before it is used.',
    });
  });

  it('names the register where the variable is not certain', () => {
    const other = NULL_CHECK.replace('return e->count;', 'return f->count;');
    expect(answerOf(other).cause).toMatch(/^R0 may be NULL where it is read through/);
  });

  it('claims no origin and no place where the log has no instructions', () => {
    const level4 = `R1 invalid mem access 'trusted_ptr_or_null_'
processed 3 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
    const { cause } = answerOf(level4);
    expect(cause).toBe(
      'R1 may be NULL where it is read through; this log does not have the instructions before, which tell where it comes from.',
    );
    const range = 'At program exit the register R0 has smin=5 smax=5 should have been in [0, 1]';
    expect(answerOf(level4.replace(/^.*/, range)).cause).not.toContain('at the program');
  });

  it('names the added number where Linux 5.10 prints no values', () => {
    const { error, blame } = answerOf(`0: (bf) r2 = r10
1: (18) r3 = 0x100000000
3: (0f) r2 += r3
math between fp pointer and 4294967296 is not allowed
processed 3 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
    expect([error?.register, blame?.insn]).toEqual(['R3', 1]);
  });

  it('knows a map without keys from a size of 0', () => {
    const { cause } = answerOf(`0: R1=ctx() R10=fp0
0: (bf) r2 = r10                      ; R2=fp0 R10=fp0
1: (18) r1 = 0xffff888483bc5800       ; R1=map_ptr(map=rb,ks=0,vs=0)
; bpf_map_lookup_elem(&rb, &k); @ a.bpf.c:9
3: (85) call bpf_map_lookup_elem#1
invalid zero-sized read
processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
    expect(cause).toBe(
      'Instruction 3 (a.bpf.c:9) passes bpf_map_lookup_elem a key for a map whose keys have no bytes, as those of ring buffers, queues and arenas.',
    );
  });

  it('tells the argument that a function does not have', () => {
    const { cause } = answerOf(`0: R1=ctx() R10=fp0
0: (79) r1 = *(u64 *)(r1 +24)
func 'vfs_x' doesn't have 4-th argument
invalid bpf_context access off=24 size=8
processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
    expect(cause).toBe('Instruction 0 reads the context beyond the last argument of `vfs_x`.');
  });

  it('tells a chain of calls that is too deep from a function that calls itself', () => {
    const calls = Array.from(
      { length: 8 },
      (_, i) => `${2 * i}: (85) call pc+1\ncaller:\n R10=fp0\ncallee:\n frame${i + 1}: R10=fp0\n`,
    );
    const end =
      'the call stack of 9 frames is too deep\nprocessed 9 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n';
    const deep = answerOf(
      `0: R1=ctx() R10=fp0\n${calls.slice(0, 7).join('')}14: (85) call pc+1\n${end}`,
    );
    expect(deep.chain).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    expect(deep.cause).toContain('With the call at instruction 14 9 functions are active');
    const own = calls.slice(0, 7).map((text) => text.replace(/^\d+/, '2'));
    const recursive = answerOf(`0: R1=ctx() R10=fp0\n${own.join('')}2: (85) call pc-1\n${end}`);
    expect(recursive.chain).toEqual([2]);
    expect(recursive.cause).toContain('made again inside of itself');
  });

  it('says of a declaration that no call fits which call met it', () => {
    const { error, blame, cause } = answerOf(`0: R1=ctx() R10=fp0
0: (85) call pc+1
arg#0 should be \`struct xdp_md *\`
Caller passes invalid args into func#1 ('sub')
processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
    expect(error).toMatchObject({ class: 'global-func-context', insn: 0, register: null });
    expect(blame).toBeNull();
    expect(cause).toBe(
      'Instruction 0 calls the global function `sub`, whose declaration is refused. Argument 1 of the global function `sub` is the context, but of another type than this program has; it should be `struct xdp_md *`.',
    );
  });

  it('says that a thrown number is the result of the program', () => {
    const { error, cause, fix } = answerOf(`0: R1=ctx() R10=fp0
0: (b7) r1 = 1                        ; R1=1
1: (85) call bpf_throw#65249
At program exit the register R1 has smin=1 smax=1 should have been in [0, 0]
processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`);
    expect(error).toMatchObject({ insn: 1, register: 'R1' });
    expect(cause).toBe(
      'Instruction 1 calls bpf_throw with 1 in R1, which becomes the result of the program, but only 0 is allowed: the value comes from instruction 0 (`r1 = 1`).',
    );
    expect(fix).toMatch(/^Throw 0/);
  });

  it('names the type of interrupt states, maps and locks', () => {
    const end =
      'processed 3 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n';
    const interrupts = `0: R1=ctx() R10=fp0
0: (bf) r1 = r10                      ; R1=fp0 R10=fp0
1: (07) r1 += -8                      ; R1=fp-8
2: (85) call bpf_local_irq_save#65500 ; fp-8=ffffffff
3: (b7) r0 = 0                        ; R0=0
4: (95) exit
BPF_EXIT instruction in main prog cannot be used inside bpf_local_irq_save-ed region
`;
    expect(answerOf(interrupts + end).type).toEqual({ name: 'unsigned long', member: null });
    const map = `0: R1=ctx() R10=fp0
0: (18) r2 = 0xffff8884b9e7f600       ; R2=map_ptr(map=m,ks=4,vs=64)
2: (85) call bpf_perf_event_output#25
cannot pass map_type 2 into func bpf_perf_event_output#25
`;
    expect(answerOf(map + end).type).toEqual({ name: 'map m', member: null });
    const lock = `0: R1=map_value(map=m,ks=4,vs=16) R10=fp0
0: (85) call bpf_spin_lock#93
1: (85) call bpf_ktime_get_ns#5
function calls are not allowed while holding a lock
`;
    expect(answerOf(lock + end).type).toEqual({ name: 'struct bpf_spin_lock', member: null });
  });

  it('reads both lines that cilium/ebpf quotes in one', () => {
    const { error } = answerOf(
      '2026/11/29 00:00:01 field Prog: program prog: load program: permission denied: 5: (1f) r2 -= r1: R2 tried to subtract pointer from scalar (7 line(s) omitted)\n',
    );
    expect(error).toMatchObject({
      line: 'R2 tried to subtract pointer from scalar',
      class: 'pointer-subtract',
      register: 'R2',
    });
  });

  it('reads places of lines that end in blanks', () => {
    const { error } = answerOf(NULL_CHECK.replace(/$/gm, '  '));
    expect(error).toMatchObject({
      line: "R0 invalid mem access 'map_value_or_null'",
      source: { file: 'a.bpf.c', line: 14 },
    });
  });

  it('is about a number that is followed', () => {
    expect(answerOf(REFUSED)).toMatchObject({
      error: { insn: 4, register: 'R2', class: 'invalid-mem-access' },
      blame: { insn: 0 },
    });
  });

  it('reads the message before the block of Linux 7.3', () => {
    expect(answerOf(WITH_BLOCK).error).toMatchObject({ class: 'unreleased-reference', insn: 0 });
  });

  it('says that a comparison with a register is none with NULL', () => {
    const log = NULL_CHECK.replace(
      '; return e->count;',
      '7: (1d) if r0 == r7 goto pc+3         ; R0=map_value_or_null(id=1,map=events,ks=4,vs=64) R7=0\n; return e->count;',
    )
      .replace('7: (79)', '8: (79)')
      .replace('6: (85)', '5: (b7) r7 = 0                        ; R7=0\n6: (85)');
    const { cause } = answerOf(log);
    expect(cause).toContain(
      'The comparison at instruction 7 (`if r0 == r7 goto pc+3`, a.bpf.c:12)',
    );
    expect(cause).not.toContain('no instruction on this path compares');
  });

  it('counts the refused byte of a read of the stack', () => {
    const log = NULL_CHECK.replace(
      /^R0 invalid.*$/m,
      'invalid read from stack R3 off -24+8 size 16',
    );
    const { error, cause } = answerOf(log);
    expect(error?.register).toBe('fp-16');
    expect(cause).toContain('16 bytes of the stack at fp-24, but byte 8 of them, at fp-16');
  });

  it.each([
    ['R3 max value is outside of the allowed memory range', /^R3 may point too far: /],
    [
      'R0 unbounded memory access, make sure to bounds check any such access',
      /^R0 may point anywhere: /,
    ],
    ['BPF program is too large. Processed 1000001 insn', /^The verifier gave up after 1000000 /],
    [
      'Unreleased reference id=4 alloc_insn=20',
      /^The reference that instruction 20 acquired is still held where the program ends/,
    ],
    ['back-edge from insn 12 to 3', /instruction 12 jumps back to instruction 3/],
    [
      'invalid access to map value, value_size=1320 off=1280 size=1024',
      /^The program accesses 1024 bytes/,
    ],
    ['R1 is not a pointer to map value', /not a pointer to a map value or an allocated object/],
    ['Private stack not supported by jit', /private stack/],
    ['attach_btf_id 12 is not a function', /not of the kind/],
    ['R1 type=ctx expected=fp', /expects a pointer to memory, such as the stack/],
    ["map 'm' has more than one 'struct bpf_spin_lock'", /`m`, which has more than one of them/],
    ['invalid BPF_LD_IMM insn', /the second half of a 16-byte load/],
    ['unknown insn class 7', /has an opcode, which this kernel does not know/],
  ])('is right about a line alone: %s', (line, cause) => {
    expect(answerOf(`${line}\n`).cause).toMatch(cause);
  });

  it('takes a message, an empty line and a block of Linux 7.3 for one log', () => {
    const { parts } = logTable(WITH_BLOCK.slice(WITH_BLOCK.indexOf('Unreleased')));
    expect(parts.map(({ kind }) => kind)).toEqual(['verifier']);
    expect(parts[0]?.errorLines[0]).toBe(0);
  });

  it('has the message without the summary in its line', () => {
    const { error, cause } = answerOf(
      NULL_CHECK.replace(/^R0 invalid.*\n/m, 'expected prog array map for tail call'),
    );
    expect(error?.line).toBe('expected prog array map for tail call');
    expect(cause).not.toContain('processed');
  });

  it('says to which place on the stack an argument that is not aligned points', () => {
    const log = `0: R1=ctx() R10=fp0
11: (bf) r4 = r10                     ; R4=fp0 R10=fp0
12: (07) r4 += -20                    ; R4=fp-20
13: (bf) r1 = r10                     ; R1=fp0 R10=fp0
14: (85) call bpf_strtol#105
misaligned stack access off (0x0; 0x0)+-20+0 size 8
processed 16 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
    // Linux 7.1 prints the sum of the constants as one hexadecimal number.
    const later = log.replace('(0x0; 0x0)+-20+0', '0xffffffffffffffec+0');
    for (const text of [log, later]) {
      const { error, cause } = answerOf(text);
      expect(error?.register).toBe('R4');
      expect(cause).toContain('8 bytes of the stack through R4, which points to fp-20');
    }
  });

  it('has no instruction where the log has none', () => {
    const { error, cause } = answerOf(STATISTICS);
    expect(error).toMatchObject({ class: 'uninit-register', insn: null, register: 'R2' });
    expect(cause).toContain('the program');
  });

  it('says what libbpf wrote over its marks', () => {
    const log = `0: R1=ctx() R10=fp0
0: <invalid CO-RE relocation>
failed to resolve CO-RE relocation <byte_off> [6] struct task_struct___x.absent (0:0 @ offset 0)
processed 1 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
    const { cause, error } = answerOf(log);
    expect(error).toMatchObject({ class: 'invalid-func', insn: 0 });
    expect(cause).toContain('absent in struct task_struct___x');
  });

  it('has a sentence for every message of the verifier, and throws for none', () => {
    for (const { format } of MESSAGES) {
      const [line = ''] = format.split('\\n');
      const text = line
        .replaceAll('\\t', '\t')
        .replaceAll(/(?<=[a-z])%s/g, ' word')
        .replaceAll('%s', 'word')
        .replaceAll(/%[-+#0]*\d*(?:ll|l|z)?[a-zA-Z]/g, '7');
      for (const log of [NULL_CHECK, REFUSED, STATISTICS]) {
        const changed = log.replace(/^R\d.*$/m, () => text);
        const table = logTable(changed);
        for (const part of table.parts) {
          const { cause, fix, error } = answerFor(table, part, NOTHING);
          expect(cause + fix, text).not.toMatch(/\bundefined\b(?! behaviour)|\bNaN\b|\bnull\b/);
          if (error !== null) expect(cause, text).toMatch(/\.$/);
        }
      }
    }
  });
});
