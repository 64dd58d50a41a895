import { describe, expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import {
  ACCEPTED,
  classesIn,
  LOGS,
  logTable,
  OLD,
  OLD_PATH,
  REFUSED,
  STATISTICS,
  WITH_BLOCK,
} from '#testing/verifier-logs.ts';
import { verifierLogs } from '#testing/verifier-programs.ts';
import { logTableSteps, MAX_LINE_LENGTH } from './log-table.ts';

/** Prefixes that loggers write before each line; `{n}` is the number of the line. */
const PREFIXES: Readonly<Record<string, string>> = {
  syslog: 'Nov 29 00:27:{n} host-1 my_app[12]: ',
  'journalctl -o short-iso': '2026-11-29T00:27:{n}+0000 host app[7]: ',
  dmesg: '[   12.0{n}] ',
  docker: 'my-agent-1  | ',
  Kubernetes: '2026-11-29T00:27:01.0{n}Z stdout F ',
  'GitHub Actions': 'test\tRun it\t2026-11-29T00:27:01.0{n}Z ',
  Go: '2026/11/29 00:27:{n} ',
  glog: 'I1128 10:00:00.0000{n}    1 load.go:12] ',
  tracing: '2026-11-28T10:00:00.1234{n}Z  WARN my::tool: ',
  'cilium/ebpf': '\t',
  quoted: '> ',
  'quoted twice': '> > ',
  'a bar': '| ',
  'one blank': ' ',
  'two blanks': '  ',
  'four blanks': '    ',
  tabs: '\t\t',
};

function prefixed(text: string, prefix: string): string {
  let n = 10;
  return text.replace(/^(?!$)/gm, () => prefix.replace('{n}', `${10 + (n++ % 50)}`));
}

function contentOf(text: string | Uint8Array, pieceSize?: number): unknown[] {
  const table = logTable(text, pieceSize);
  return classesIn(table).map((lineClass, line) => {
    const content = table.line(line);
    return [lineClass, table.insnOf(line), table.textOf(line).trimEnd(), content];
  });
}

describe.each(Object.entries(LOGS))('a log that is %s', (_, log) => {
  const plain = contentOf(log);

  it('has a class for every line', () => {
    expect(classesIn(logTable(log))).not.toContain('unknown');
    expect(logTable(log).parts).toHaveLength(1);
  });

  it.each(Object.entries(PREFIXES))('is the same after the prefix of %s', (_name, prefix) => {
    expect(contentOf(prefixed(log, prefix))).toEqual(plain);
  });

  it('is the same after the blanks that journalctl writes for later lines of a message', () => {
    const first = 'Nov 29 00:27:01 host app[12]: ';
    const blanks = ' '.repeat(first.length);
    expect(contentOf(first + log.replace(/\n(?=.)/g, `\n${blanks}`))).toEqual(plain);
  });

  it('is the same with carriage returns, and with colours', () => {
    expect(contentOf(log.replaceAll('\n', '\r\n'))).toEqual(plain);
    expect(contentOf(log.replace(/\d+:/g, '\x1b[1;31m$&\x1b[0m'))).toEqual(plain);
  });

  it.each([1, 7, 64, 1000])('is the same in pieces of %i bytes', (pieceSize) => {
    expect(contentOf(log, pieceSize)).toEqual(plain);
  });

  it('has the same whole lines where its end is cut', () => {
    const last = (n: number) => plain.slice(0, n).map((row) => (row as unknown[])[0]);
    for (let end = 0; end < log.length; end += 3) {
      const cut = log.slice(0, end);
      const whole = cut.split('\n').length - 1;
      // The message of the verdict is known only by the summary that follows it.
      const classes = classesIn(logTable(cut)).slice(0, whole);
      const asMessage = (name: unknown) => (name === 'error' ? 'other' : name);
      expect(classes.map(asMessage)).toEqual(last(whole).map(asMessage));
    }
  });
});

it.each(['  ', '    ', '\t'])('reads the log in a text that quotes it after %j', (prefix) => {
  const table = logTable(`The verifier says:\n\n${prefixed(OLD_PATH, prefix)}\nWhy?\n`);
  const error = OLD_PATH.split('\n').findIndex((line) => line.startsWith('At program exit'));
  expect(table.parts).toMatchObject([{ verdict: 'rejected', errorLines: [error + 2] }]);
  expect(table.unknownCount).toBe(2);
});

it('keeps the blanks of a table whose title was cut off', () => {
  const rows = '  8: (b7) r0 = 0\n 10: (95) exit\n100: (95) exit\n';
  const table = logTable(
    `${rows}${ACCEPTED.slice(ACCEPTED.indexOf('stack use'), ACCEPTED.indexOf('0: R1'))}`,
  );
  expect(classesIn(table)).not.toContain('insn');
  expect(table.textOf(0)).toBe('  8: (b7) r0 = 0');
});

it('has the same walk where the start of a log is cut', () => {
  const lines = REFUSED.split('\n');
  const whole = contentOf(REFUSED);
  for (let start = 1; start < 6; start++) {
    const cut = `cut line\n${lines.slice(start).join('\n')}`;
    const table = logTable(cut);
    expect(contentOf(cut).slice(1)).toEqual(whole.slice(start));
    expect(table.parts.at(-1)).toMatchObject({ isHeadCut: start > 2, verdict: 'rejected' });
  }
});

it('takes rows whose title was cut off for no walked instructions', () => {
  const table = logTable(ACCEPTED.slice(ACCEPTED.indexOf('100:')));
  expect(classesIn(table).slice(0, 3)).toEqual(['listing', 'listing', 'listing']);
  expect(table.parts).toMatchObject([{ isHeadCut: true, verdict: 'accepted', level: 2 }]);
});

describe('the parts of a text', () => {
  it('have verdict, level, counters and messages', () => {
    expect(logTable(REFUSED).parts).toMatchObject([
      {
        kind: 'verifier',
        verdict: 'rejected',
        level: 1,
        errorLines: [7],
        summary: { insns: 5, limit: 1_000_000, totalStates: 1, timeUsec: null },
        isHeadCut: false,
        isTailCut: false,
      },
    ]);
    expect(logTable(ACCEPTED).parts).toMatchObject([
      { verdict: 'accepted', level: 2, errorLines: [] },
    ]);
    expect(logTable(OLD).parts).toMatchObject([{ verdict: 'rejected', level: 2 }]);
    expect(logTable(STATISTICS).parts).toMatchObject([
      {
        verdict: 'rejected',
        level: 4,
        errorLines: [0],
        summary: { timeUsec: 26, stackDepths: [8, 16] },
      },
    ]);
  });

  it('have the summary that the kernel prints in the line of a message', () => {
    const logs = verifierLogs().filter(({ text }) => /[a-z]processed \d/.test(text));
    expect(logs.map(({ level }) => level)).toEqual([1, 2, null]);
    for (const { text } of logs) {
      const part = logTable(text).parts.find(({ kind }) => kind === 'verifier');
      const line = text.split('\n').findIndex((one) => /[a-z]processed \d/.test(one));
      expect(part).toMatchObject({
        ...{ verdict: 'rejected', errorLines: [line], lastLine: line },
        ...{ isTailCut: false, summary: { insns: 3, limit: 1_000_000, markRead: 0 } },
      });
    }
    // Level 4 has the time before the counters.
    const [end] = /processed .*/.exec(logs[0]?.text ?? '') ?? [];
    const statistics = `expected prog array map for tail callverification time 26 usec\nstack depth 8\n${end}\n`;
    expect(logTable(statistics).parts).toMatchObject([
      { verdict: 'rejected', level: 4, errorLines: [0], summary: { insns: 3, timeUsec: 26 } },
    ]);
  });

  it('have the block, and the messages before and after it', () => {
    const lines = WITH_BLOCK.split('\n');
    expect(logTable(WITH_BLOCK).parts).toMatchObject([
      {
        verdict: 'rejected',
        errorLines: [
          2,
          lines.indexOf('BPF_EXIT instruction in main prog would lead to reference leak'),
        ],
        block: { problem: 'Unreleased resource', at: { insn: 0 }, lines: [4, 16] },
      },
    ]);
  });

  it('take no note about an argument for the reason of a refusal', () => {
    const note = "arg#0 reference type('UNKNOWN ') size cannot be determined: -22\n";
    const accepted = note + STATISTICS.slice(STATISTICS.indexOf('verification'));
    expect(logTable(accepted).parts).toMatchObject([{ verdict: 'accepted' }]);
  });

  it('are those of libbpf: frames, lines around them, and tries', () => {
    const frame = (name: string, log: string) =>
      `libbpf: prog '${name}': -- BEGIN PROG LOAD LOG --\n${log}-- END PROG LOAD LOG --\n`;
    const text = `libbpf: loading object 'a' from buffer
${frame('good', ACCEPTED)}libbpf: prog 'bad': BPF program load failed: -EACCES
${frame('bad', REFUSED)}libbpf: prog 'bad': failed to load: -EACCES
`;
    const { parts } = logTable(text);
    const verifier = { kind: 'verifier', loader: 'libbpf' };
    expect(parts).toMatchObject([
      { kind: 'loader' },
      { ...verifier, program: 'good', verdict: 'accepted' },
      { kind: 'loader' },
      { ...verifier, program: 'bad', verdict: 'rejected' },
      { kind: 'loader', lastLine: text.split('\n').length - 2 },
    ]);
    for (const [i, part] of parts.entries()) {
      expect(part.firstLine).toBeGreaterThan(parts[i - 1]?.lastLine ?? -1);
    }
  });

  it('are those of veristat', () => {
    const text = `Processing 'a.o'...
PROCESSING a.o/p, DURATION US: 272, VERDICT: failure, VERIFIER LOG:
${REFUSED}
PROCESSING a.o/q, DURATION US: 12, VERDICT: success, VERIFIER LOG:
${STATISTICS.slice(STATISTICS.indexOf('verification'))}
File  Program  Verdict
----  -------  -------
a.o   p        failure
----  -------  -------
Done. Processed 1 files, 0 programs. Skipped 1 files, 0 programs.
`;
    expect(logTable(text).parts.filter(({ kind }) => kind === 'verifier')).toMatchObject([
      { program: 'p', loader: 'veristat', verdict: 'rejected' },
      { program: 'q', loader: 'veristat', verdict: 'accepted' },
    ]);
    expect(logTable(text).unknownCount).toBe(0);
  });

  it('is the one line of cilium/ebpf', () => {
    const text = 'program f: load program: permission denied: R1 !read_ok (7 line(s) omitted)\n';
    expect(logTable(text).parts).toMatchObject([
      {
        program: 'f',
        loader: 'cilium',
        verdict: 'rejected',
        excerpt: 'R1 !read_ok',
        omitted: 7,
        errorLines: [0],
      },
    ]);
  });

  it('is refused if only the end of its diagnostic block is left', () => {
    const end = WITH_BLOCK.slice(WITH_BLOCK.indexOf('Suggestion:'));
    const part = logTable(`d by insn 3\n\n${end}`).parts.at(-1);
    expect(part).toMatchObject({ kind: 'verifier', verdict: 'rejected' });
    const accepted = `${end}libbpf: loading b.o\n${end.slice(end.indexOf('processed '))}`;
    expect(logTable(accepted).parts.at(-1)).toMatchObject({ verdict: 'accepted' });
  });

  it('has the prefix of its logger from the first line on', () => {
    const prefix = 'Nov 29 00:27:01 host app[12]: ';
    const log = `jump into the middle of ldimm64 insn 2\n${STATISTICS.slice(STATISTICS.indexOf('processed '))}`;
    const table = logTable(`unrelated\n\n${log.replace(/^(?=.)/gm, prefix)}`);
    expect([0, 1, 2].map((line) => table.textOf(line))).toEqual([
      'unrelated',
      '',
      'jump into the middle of ldimm64 insn 2',
    ]);
    expect(table.parts.at(-1)).toMatchObject({ errorLines: [2], verdict: 'rejected' });
  });

  it('are those of cilium/ebpf with all lines, or the last ones', () => {
    const head = 'Error: program f: load program: permission denied:\n';
    const all = head + REFUSED.replace(/^(?=.)/gm, '\t');
    expect(logTable(all).parts.at(-1)).toMatchObject({ loader: 'cilium', program: 'f', level: 1 });
    const { at, reason } = logTable(WITH_BLOCK).parts[0]?.block ?? {};
    const block = logTable(head + WITH_BLOCK.replace(/^(?=.)/gm, '\t')).parts.at(-1)?.block;
    expect(at?.insn).toEqual(expect.any(Number));
    expect(block).toMatchObject({ at, reason });
    const last = `${head}\t(4 lines omitted)\n${REFUSED.split('\n')
      .slice(4)
      .join('\n')
      .replace(/^(?=.)/gm, '\t')}`;
    const part = logTable(last).parts.at(-1);
    expect(part).toMatchObject({ omitted: 4, isHeadCut: true, verdict: 'rejected' });
  });

  it('are found in a line whose line ends a logger escaped', () => {
    const json = JSON.stringify(
      `load program: permission denied:\n\t${REFUSED.replaceAll('\n', '\n\t')}`,
    );
    const table = logTable(`{"level":"error","msg":${json}}\n`);
    expect(table.parts.at(-1)).toMatchObject({
      loader: 'cilium',
      verdict: 'rejected',
      summary: { insns: 5 },
    });
    expect(table.textOf(8)).toBe("R2 invalid mem access 'scalar'");
    expect(table.classOf(6)).toBe('insn');
  });

  it('are those of aya, whose log begins in the middle of a line', () => {
    const table = logTable(`Error: the BPF_PROG_LOAD syscall failed. Verifier output: ${REFUSED}`);
    expect(table.parts).toMatchObject([{ loader: 'aya', verdict: 'rejected', firstLine: 0 }]);
    expect(table.textOf(0)).toBe('0: R1=ctx() R10=fp0');
  });

  it.each([
    ['bpftrace', 'BPF verifier log for kprobe:f:\n----\n', 'kprobe:f'],
    ['bcc', 'bpf: Failed to load program: Permission denied\n', null],
    [
      'iproute2',
      "Prog section 'cls' rejected: Permission denied (13)!\n - Type: 3\n\nVerifier analysis:\n\n",
      'cls',
    ],
  ])('are those of %s', (loader, head, program) => {
    expect(logTable(head + REFUSED).parts.at(-1)).toMatchObject({ loader, program });
  });

  it('are those of BTF', () => {
    const text = `libbpf: BTF loading error: -22
libbpf: -- BEGIN BTF LOAD LOG ---
magic: 0xeb9f
[1] INT int size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
-- END BTF LOAD LOG --
`;
    expect(logTable(text).parts.map(({ kind }) => kind)).toEqual(['loader', 'btf']);
    expect(logTable(text).unknownCount).toBe(0);
  });
});

it('counts and keeps lines that are of no log', () => {
  const table = logTable(`hello\nworld\n\n${REFUSED}bye\n`);
  expect(table.unknownCount).toBe(3);
  expect(table.textOf(0)).toBe('hello');
});

it('shows names that are not UTF-8, and cuts endless lines', () => {
  const bytes = new TextEncoder().encode(
    `0: R1=ctx()\n; ä? @ a.c:1\n; ${'x'.repeat(MAX_LINE_LENGTH)}`,
  );
  const odd = bytes.indexOf('?'.charCodeAt(0));
  expect(logTable(bytes).textOf(1)).toBe('; ä? @ a.c:1');
  bytes[odd] = 0xff;
  expect(logTable(bytes).textOf(1)).toContain('\\xff');
  expect(logTable(bytes).textOf(2)).toHaveLength(MAX_LINE_LENGTH);
});

it('builds the same table in steps', () => {
  const table = finish(logTableSteps(new TextEncoder().encode(REFUSED)));
  expect(table.columns).toEqual(logTable(REFUSED).columns);
});

it('has no lines for an empty text', () => {
  expect(logTable('').lineCount).toBe(0);
  expect(logTable('').textOf(0)).toBe('');
});
