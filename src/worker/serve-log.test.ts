/** Tests the requests about an open log. */
import { expect, it } from 'vitest';
import { functionsOf } from '#analysis/objects/functions.ts';
import { readCode } from '#analysis/objects/section-code.ts';
import { KNOWS_LESS, KNOWS_MORE } from '#testing/compared-logs.ts';
import { sampleBytes, sampleObject } from '#testing/samples.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

async function serve(name: string, file: Blob) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(message));
  const ask = async <M extends Method>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']> => {
    await server.handle({ id: 1, method, params } as ToWorker);
    const last = answers.at(-1);
    if (last?.kind !== 'ok') throw new Error(`${method} failed`);
    return last.value as Methods[M]['result'];
  };
  return { ask, opened: await ask('open', { name, file }), answers };
}

async function serveLog(text: string) {
  const { ask, opened } = await serve('a.log', new Blob([text]));
  if (opened.kind !== 'log') throw new Error(`read as ${opened.kind}`);
  return { ask, log: opened.log };
}

const LOG = `what nobody knows
libbpf: prog 'p': BPF program load failed: -EACCES
0: R1=ctx() R10=fp0
0: (b7) r0 = 0
1: (95) exit
processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;

it('opens a text with a log as a log, and gives its lines', async () => {
  const { ask, log } = await serveLog(LOG);
  expect(log.lineCount).toBe(6);
  expect([...log.failures]).toEqual([1]);
  expect([...log.unknowns]).toEqual([0]);
  const lines = await ask('logLines', { from: 2, to: 4 });
  expect(lines.map(({ lineNumber, text }) => [lineNumber, text])).toEqual([
    [2, '0: R1=ctx() R10=fp0'],
    [3, '0: (b7) r0 = 0'],
  ]);
  const [refused] = await ask('logLines', { from: 1, to: 2 });
  expect(refused?.sentence).toContain('EACCES');
  expect(lines[0]?.sentence).toBe('');
  expect((await ask('ruleCard', { rule: 'unreleased-reference' }))?.causes).not.toEqual([]);
  expect(await ask('ruleCard', { rule: 'toString' })).toBeNull();
  expect(await ask('logLines', { from: 5, to: 100 })).toHaveLength(1);
  expect(await ask('logLines', { from: 100, to: 90 })).toEqual([]);
  expect([...(await ask('findInLog', { text: 'EXIT' }))]).toEqual([4]);
  const text = await ask('logText', { from: 4, to: 5, isSanitised: true });
  expect(text).toBe('1: (95) exit\n');
});

it('sends the first lines of a large log before it is read', async () => {
  const log = LOG.replace('1: (95) exit\n', '1: (95)\texit\n'.repeat(100_000));
  const { answers } = await serve('a.log', new Blob([log]));
  const lines = answers.flatMap((one) => (one.kind === 'progress' ? [one.progress.lines] : []));
  expect(lines[0]?.split('\n').slice(0, 5)).toEqual(log.split('\n').slice(0, 5));
  expect(lines[0]?.split('\n')).toHaveLength(100);
  expect(lines.slice(1).every((one) => one === undefined)).toBe(true);
});

it('finds the program of a log by opcodes, without its name', async () => {
  const name = 'exec_trace.bpf.o';
  const { model, source } = await sampleObject(name);
  const program = functionsOf(model).find(({ isProgram }) => isProgram);
  if (program === undefined) throw new Error('the example has programs');
  const { bytes } = await readCode(model, source, program.section);
  const code = bytes.subarray(program.start, program.end);
  const rows: string[] = [];
  for (let at = 0; at < code.length; at += code[at] === 0x18 ? 16 : 8) {
    rows.push(`${at / 8}: (${(code[at] ?? 0).toString(16).padStart(2, '0')}) r0 = 0`);
  }
  const { log } = await serveLog(rows.join('\n'));
  const parts = log.parts.map(({ evidence }) => evidence);
  const { ask } = await serve(name, new Blob([sampleBytes(name)]));
  const [match] = await ask('matchLog', { parts });
  expect(match).toMatchObject({ program: program.name, insns: [rows.length, rows.length] });
  const loaded = await ask('programCode', { program: program.name });
  // Calls are relocated.
  const opcodes = (insns: Uint8Array | undefined) => insns?.filter((_, i) => i % 8 === 0);
  expect(opcodes(loaded?.bytes.subarray(0, code.length))).toEqual(opcodes(code));
  expect(loaded?.parts[0]).toMatchObject({ name: program.name, insnOff: 0 });
  expect(await ask('programCode', { program: 'none' })).toBeNull();
  // A log of level 0 names no instruction: only the code has it.
  const unknown = await serveLog('unknown opcode 8d\nprocessed 0 insns (limit 1000000)\n');
  const told = await unknown.ask('answerLog', {
    part: 0,
    object: null,
    program: null,
    kernel: null,
    code: {
      bytes: Uint8Array.of(0xb7, 0, 0, 0, 0, 0, 0, 0, 0x8d, 0, 0, 0, 0, 0, 0, 0),
      endian: 'little',
      parts: [],
      externs: new Map(),
    },
  });
  expect(told?.error?.insn).toBe(1);
  const other = await serve('doc_core.bpf.o', new Blob([sampleBytes('doc_core.bpf.o')]));
  expect(await other.ask('matchLog', { parts })).toEqual([null]);
});

it('finds the program of a log among those of its section by source lines', async () => {
  const name = 'congestion.bpf.o';
  const { ask } = await serve(name, new Blob([sampleBytes(name)]));
  const programOf = async (line: string) => {
    const shared = '; struct tcp_sock *tp = (void *)ctx[0]; @ congestion.bpf.c:47';
    const text = `${shared}\n0: (79) r1 = *(u64 *)(r1 +0)\n${line} @ congestion.bpf.c:49\n`;
    const { log } = await serveLog(text);
    const [match] = await ask('matchLog', { parts: log.parts.map(({ evidence }) => evidence) });
    return [match?.program, match?.alike, match?.sources];
  };
  expect(await programOf('; return tp->snd_ssthresh << 1;')).toEqual([
    'halve_undo_cwnd',
    0,
    [2, 2],
  ]);
  expect(await programOf('; tp->snd_cwnd = tp->snd_cwnd + ctx[2];')).toEqual([
    'halve_cong_avoid',
    0,
    [2, 2],
  ]);
});

it.each([
  ['as they are', (text: string) => text],
  [
    'in the lines of libbpf',
    (text: string) => `libbpf: prog 'p': -- BEGIN PROG LOAD LOG --
${text}-- END PROG LOAD LOG --
libbpf: failed to load object 'p.bpf.o'
`,
  ],
])('compares a part with one of another log: %s', async (_, written) => {
  const { ask } = await serveLog(written(KNOWS_MORE));
  const part = async (text: string) => {
    const [first] = (await serveLog(text)).log.parts;
    if (first === undefined) throw new Error('no part');
    return first;
  };
  const less = written(KNOWS_LESS);
  const other = { key: 2, name: 'other.log', file: new Blob([less]), part: await part(less) };
  const { compared } = await ask('compareLog', { part: 0, other });
  expect(compared?.verdicts).toEqual(['accepted', 'rejected']);
  expect(compared?.comparison.firstLess).toBe(2);
  const file = await new Blob([KNOWS_MORE]).arrayBuffer();
  const again = { key: 3, name: 'other.log', file, part: await part(KNOWS_MORE) };
  const same = await ask('compareLog', { part: 0, other: again });
  expect(same.compared?.comparison.firstLess).toBe(-1);
  expect((await ask('compareLog', { part: 7, other })).compared).toBeNull();
});
