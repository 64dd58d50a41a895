/** Tests `btfscope explain` on small logs: text, JSON, rows of lines, and the exit status. */
import { describe, expect, it } from 'vitest';
import { KNOWS_LESS, KNOWS_MORE } from '#testing/compared-logs.ts';
import { elfObject } from '#testing/elf-object.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';
import { ACCEPTED, REFUSED, STATISTICS, WITH_BLOCK } from '#testing/verifier-logs.ts';

const filesOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]));

async function explained(text: string, ...words: readonly string[]) {
  const { out, status, err } = await runCommand(
    ['explain', 'a.log', ...words],
    filesOf({ 'a.log': text }),
  );
  return { out, status, err, rows: () => out.trimEnd().split('\n').map(JsonRow.parse) };
}

const LOADER = "libbpf: prog 'f': failed to find kernel BTF type ID of 'do_no_such': -3\n";

describe('explain', () => {
  it('prints the answer for a log, and fails', async () => {
    const { out, status, err } = await explained(REFUSED);
    expect(status).toBe(1);
    expect(err).toEqual(['btfscope: 1 of 1 log of a failure']);
    expect(out).toContain('log of the verifier: refused, 5 instructions processed');
    expect(out).toContain("Line 8: R2 invalid mem access 'scalar'");
    expect(out).toContain('    0 (a.c:4) int f(void *ctx)\n    4 r0 = *(u64 *)(r2 +0)\n');
    // Instructions are not repeated.
    expect(out).not.toContain('(61) r1');
  });

  it('says that a log of level 4 has no instruction, and what it has', async () => {
    const { out, status } = await explained(STATISTICS);
    expect(status).toBe(1);
    expect(out).toContain('refused, 5 instructions processed in 26 µs, stack of 8+16 bytes\n');
    expect(out).toContain('statistics only (level 4), no instruction: load the program with log');
    expect((await explained(REFUSED)).out).not.toContain('level 4');
  });

  it('succeeds for an accepted program', async () => {
    const { out, status, rows } = await explained(ACCEPTED, '--json');
    expect([status, out.split('\n')]).toMatchObject([0, { length: 2 }]);
    expect(rows()[0]?.text('verdict')).toBe('accepted');
  });

  it('says that programs of equal code agree with a log without a name', async () => {
    const code = Uint8Array.from(
      [0x61, 0xb7, 0x07, 0x95].flatMap((op) => [op, 0, 0, 0, 0, 0, 0, 0]),
    );
    const names = ['one', 'two', 'three'];
    const { bytes } = elfObject({
      sections: names.map((name) => ({ name: `tc/${name}`, flags: 6, data: code })),
      symbols: names.map((name) => ({ name, size: code.length, type: 2, shndx: `tc/${name}` })),
    });
    const log = `0: (61) r0 = *(u32 *)(r0 +0)
1: (b7) r0 = 0
2: (07) r0 += 0
3: (95) exit
processed 4 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
`;
    const files = new Map([...filesOf({ 'a.log': log }), ['a.bpf.o', bytes]]);
    const explain = async (...words: string[]) =>
      (await runCommand(['explain', 'a.log', '--object', 'a.bpf.o', ...words], files)).out;
    expect(await explain()).toContain(
      '  The log names no program: 2 other programs of the object would give the same lines.\n',
    );
    expect(JsonRow.parse((await explain('--json')).trimEnd()).number('alike')).toBe(2);
    const named = log.replace(/^/, "libbpf: prog 'two': -- BEGIN PROG LOAD LOG --\n");
    files.set('a.log', new TextEncoder().encode(`${named}-- END PROG LOAD LOG --\n`));
    expect(await explain()).toContain(' of two: ');
    expect(await explain()).not.toContain('names no program');
  });

  it('prints an object for each log, of one or more files', async () => {
    const files = filesOf({ one: `${REFUSED}${ACCEPTED}`, two: LOADER });
    const { out, status, err } = await runCommand(['explain', 'one', 'two', '--json'], files);
    const rows = out.trimEnd().split('\n').map(JsonRow.parse);
    expect(rows.map((row) => [row.text('file'), row.text('kind'), row.text('verdict')])).toEqual([
      ['one', 'verifier', 'rejected'],
      ['one', 'verifier', 'accepted'],
      ['two', 'loader', 'rejected'],
    ]);
    expect([status, err]).toEqual([1, ['btfscope: 2 of 3 logs of a failure']]);
    expect(rows[0]?.row('error').number('insn')).toBe(4);
    expect(rows[0]?.row('error').text('register')).toBe('R2');
    expect(rows[0]?.row('blame').number('insn')).toBe(0);
    expect(rows[0]?.numbers('chain')).toEqual([0, 4]);
    expect(rows[2]?.text('cause')).toContain('do_no_such');
    expect(rows[2]?.texts('loader')).toEqual([LOADER.trim()]);
  });

  it('keeps the lines of a loader that a log of the verifier follows', async () => {
    const { rows } = await explained(
      `${LOADER}libbpf: prog 'f': -- BEGIN PROG LOAD LOG --\n${REFUSED}-- END PROG LOAD LOG --\n`,
      '--json',
    );
    expect(rows()).toHaveLength(1);
    expect(rows()[0]?.row('error').text('register')).toBe('R2');
    expect(rows()[0]?.rows('lines')[0]?.text('sentence')).toContain('do_no_such');
  });

  it('repeats what the kernel suggests', async () => {
    const { out } = await explained(WITH_BLOCK);
    expect(out).toContain('The kernel suggests:\n    Release it.');
  });

  it('answers for a text without a log, and for an empty one', async () => {
    for (const text of ['', 'nothing of this is known\n']) {
      const { status, rows } = await explained(text, '--json');
      expect([status, rows().map((row) => row.text('verdict'))]).toEqual([0, ['unknown']]);
    }
  });

  it('prints a row for each line', async () => {
    const { status, rows } = await explained(REFUSED, '--lines', '--json');
    const lines = REFUSED.trimEnd().split('\n');
    expect([status, rows().length]).toEqual([0, lines.length]);
    expect(rows()[6]?.fields.get('i')).toBe(4);
    expect(rows()[2]?.row('regs').row('R2').fields.get('const')).toBe('5');
    const { out } = await explained(REFUSED, '--lines');
    expect(out.split('\n')[7]).toBe(`8 error: ${lines[7]}`);
  });

  it('escapes names of the log', async () => {
    const { out } = await explained(LOADER.replace('do_no_such', 'a\u202eb'));
    expect(out).toContain('a\\u{202e}b');
    expect(out).not.toContain('\u202e');
  });
});

describe('explain --compare', () => {
  const files = filesOf({ one: KNOWS_MORE, two: KNOWS_LESS, none: LOADER });

  it('says where the second log begins to know less', async () => {
    const { out, status } = await runCommand(['explain', 'one', 'two', '--compare'], files);
    expect(status).toBe(0);
    expect(out.split('\n').slice(0, 4)).toEqual([
      'Program: accepted, 7 walked instructions; refused, 6 walked instructions',
      '  The second log first knows less here: e = bpf_map_lookup_elem(&m, &k);',
      '  e = bpf_map_lookup_elem(&m, &k);',
      '    less: R0 after insn 5: map_value of "m" → map_value, may be NULL',
    ]);
    expect(out).toContain('    2 → 1 return *e;');
    const back = await runCommand(['explain', 'two', 'one', '--compare'], files);
    expect(back.out).toContain('knows as much as the first at the 6 instructions');
  });

  it('prints an object for each log', async () => {
    const { out } = await runCommand(['explain', 'one', 'two', '--compare', '--json'], files);
    const row = JsonRow.parse(out.trimEnd());
    expect(row.texts('verdicts')).toEqual(['accepted', 'rejected']);
    expect(row.number('first_less')).toBe(2);
    expect(row.numbers('insns')).toEqual([7, 6]);
  });

  it('needs two logs of the verifier', async () => {
    const alone = await runCommand(['explain', 'one', '--compare'], files);
    expect([alone.status, alone.err[0]]).toEqual([2, expect.stringContaining('needs two logs')]);
    const without = await runCommand(['explain', 'one', 'none', '--compare'], files);
    expect([without.status, without.err[0]]).toEqual([
      1,
      expect.stringContaining('no walked instructions to compare'),
    ]);
  });
});
