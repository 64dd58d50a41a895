// Logs of the verifier for the bench: a program with a loop, refused at its end.

const MILLION = 1_000_000;

/** Texts by name. A step of `level 2` has eight lines, one of `level 1` two. */
export const TEXTS = {
  'a million lines': { stepLines: levelTwo, lineCount: MILLION },
  'with prefixes': {
    stepLines: levelTwo,
    lineCount: MILLION,
    prefix: 'Nov 29 00:27:01 host app[12]: ',
  },
  'a million steps': { stepLines: levelOne, lineCount: MILLION },
  '100 MB': { stepLines: levelTwo, byteCount: 100_000_000 },
};

/** Lines of one step of a loop, as Linux 6.12 prints them at level 2. */
function levelTwo(i) {
  return [
    `; for (i = 0; i < max; i++) sum += v->a[i & 7]; @ loop.bpf.c:${20 + (i % 40)}`,
    `${10 + i}: (bf) r3 = r1                     ; R1=scalar(id=${i},smin=umin=smin32=umin32=${i},smax=umax=smax32=umax32=4095,var_off=(0x0; 0xfff)) R3=scalar(id=${i},smax=umax=4095,var_off=(0x0; 0xfff))`,
    `${11 + i}: (57) r3 &= 7                     ; R3=scalar(smin=smin32=0,smax=umax=smax32=umax32=7,var_off=(0x0; 0x7))`,
    `${12 + i}: (0f) r4 += r3`,
    `mark_precise: frame0: last_idx ${12 + i} first_idx ${10 + i} subseq_idx -1 `,
    `mark_precise: frame0: regs=r3 stack= before ${11 + i}: (57) r3 &= 7`,
    `${13 + i}: R0=map_value(map=values,ks=4,vs=64) R4=map_value(map=values,ks=4,vs=64,smin=smin32=0,smax=umax=smax32=umax32=7,var_off=(0x0; 0x7)) R10=fp0 fp-8=mmmm????`,
    `${13 + i}: (71) r5 = *(u8 *)(r4 +0)         ; R4=map_value(map=values,ks=4,vs=64) R5=scalar(smin=smin32=0,smax=umax=smax32=umax32=255,var_off=(0x0; 0xff))`,
  ];
}

/** Lines of an instruction of an unrolled loop, as Linux 6.12 prints them at level 1. */
function levelOne(i) {
  return [
    `${i % 1000}: (07) r1 += 8                     ; R1=map_value(map=values,ks=4,vs=64,off=${8 * (i % 8)})`,
  ];
}

/** Returns a log of `lineCount` lines, or of `byteCount` bytes, that ends in a failure. */
export function textOf(name) {
  const { stepLines, lineCount = Infinity, byteCount = Infinity, prefix = '' } = TEXTS[name];
  const parts = [Buffer.from(`${prefix}func#0 @0\n`)];
  let lines = 1;
  let bytes = parts[0].length;
  for (let i = 0; lines < lineCount && bytes < byteCount; i++) {
    const step = stepLines(i % 4096).slice(0, lineCount - lines);
    const part = Buffer.from(step.map((line) => `${prefix}${line}\n`).join(''));
    parts.push(part);
    lines += step.length;
    bytes += part.length;
  }
  const end = [
    '5000: (85) call bpf_map_lookup_elem#1  ; R0=map_value_or_null(id=7,map=values,ks=4,vs=64)',
    '5001: (79) r0 = *(u64 *)(r0 +0)',
    "R0 invalid mem access 'map_value_or_null'",
    `processed ${lines} insns (limit 1000000) max_states_per_insn 4 total_states 9 peak_states 9 mark_read 1`,
  ];
  parts.push(Buffer.from(end.map((line) => `${prefix}${line}\n`).join('')));
  return new Uint8Array(Buffer.concat(parts));
}
