// Reads logs of the verifier, in one thread. Started by log.mjs. Prints JSON: times in
// milliseconds, sizes in bytes.
import { LogTableBuilder } from '#analysis/verifier/log-table.ts';

const PIECE = 1 << 20;
const MILLION = 1_000_000;
const LARGE_BYTES = 100_000_000;

/** Lines of one step of a loop, as Linux 6.12 prints them at level 2. */
function stepLines(i) {
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

/** Returns a log of `lineCount` lines, or of `byteCount` bytes, that ends in the summary. */
function logOf({ lineCount = Infinity, byteCount = Infinity, prefix = '' }) {
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
  parts.push(Buffer.from(`${prefix}processed ${lines} insns (limit 1000000) total_states 9\n`));
  return new Uint8Array(Buffer.concat(parts));
}

function measure(name, log) {
  const start = performance.now();
  const builder = new LogTableBuilder();
  for (let at = 0; at < log.length; at += PIECE) builder.add(log.subarray(at, at + PIECE));
  const columns = builder.finish();
  const ms = performance.now() - start;
  const fromSplit = performance.now();
  new TextDecoder().decode(log).split('\n');
  const splitMs = performance.now() - fromSplit;
  const buffers = [columns.starts, columns.prefixes, columns.classes, columns.insns];
  const heldBytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { name, lines: columns.lineCount, bytes: log.length, ms, splitMs, heldBytes };
}

const results = [
  measure('a million lines', logOf({ lineCount: MILLION })),
  measure('with prefixes', logOf({ lineCount: MILLION, prefix: 'Nov 29 00:27:01 host app[12]: ' })),
  measure('100 MB', logOf({ byteCount: LARGE_BYTES })),
];
process.stdout.write(JSON.stringify(results));
