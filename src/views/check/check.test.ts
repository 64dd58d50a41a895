import { describe, expect, it } from 'vitest';
import type { Problem, Verdict } from '#analysis/kernel/verdict.ts';
import type { CheckStage, FileCheck } from '#analysis/libbpf/file-check.ts';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import { sampleModel } from '#testing/samples.ts';
import { coverageText, noCheck } from './CheckView.tsx';
import { countsBy, firstGrouping, openRow, problemRows } from './ProblemsPane.tsx';
import {
  firstStage,
  isForeign,
  kernelHeadline,
  libbpfHeadline,
  problemReport,
  selectedRewrite,
  shownProblems,
} from './verdicts.ts';

function problem(over: Partial<Problem> = {}): Problem {
  return {
    word: 'vlen != 0',
    typeId: 1,
    blobOffset: 24,
    length: 4,
    sentence: 'vlen of [1] is 3.',
    rule: 'vlen is 0.',
    where: 'kernel/bpf/btf.c: btf_int_check_meta',
    by: 'kernel',
    ...over,
  };
}

const OK = { verdict: 'ok' } as const;

function refused(of: Problem) {
  const { word, typeId: id, blobOffset, rule, where } = of;
  return {
    verdict: 'refused',
    errno: 'EINVAL',
    word,
    typeId: id,
    blobOffset,
    rule,
    where,
  } as const;
}

/** Returns a stage that has these problems. The first problem is the kernel's verdict. */
function stage(problems: readonly Problem[], over: Partial<Verdict> = {}): CheckStage {
  const [first] = problems;
  const kernel = first === undefined ? OK : refused(first);
  const base = { kernel, native: kernel, machine: '', next: kernel, libbpf: OK };
  const verdict = { ...base, problems, moreProblems: 0, ...over };
  return { verdict, storedEnd: 1000 };
}

function check(stored: CheckStage, loaded: FileCheck['loaded'] = null): FileCheck {
  return {
    elf: null,
    isObject: false,
    size: 1000,
    fileOffset: 64,
    firstId: 1,
    onBase: false,
    stored,
    loaded,
  };
}

function loaded(of: CheckStage, over: Partial<NonNullable<FileCheck['loaded']>> = {}) {
  return { ...of, rewrites: [], moreRewrites: 0, stopped: null, maps: [], ...over };
}

const REWRITE = {
  typeId: 2,
  blobOffset: 100,
  length: 4,
  before: '0',
  after: '8',
  sentence: 'libbpf takes the size of .bss from the ELF section.',
};

describe('headlines', () => {
  it('name the error, the line of the log and the type', () => {
    expect(kernelHeadline(check(stage([problem()])))).toEqual({
      outcome: 'refused',
      title: 'Linux 6.18 rejects this BTF',
      text: 'Rule: vlen is 0.',
      refusal: { errno: 'EINVAL', line: 'vlen != 0', typeId: 1 },
    });
  });

  it('are about the loaded BTF, and state it', () => {
    const found = check(stage([problem()]), loaded(stage([])));
    expect(kernelHeadline(found)).toMatchObject({
      outcome: 'ok',
      text: 'As libbpf loads it. Rejected before libbpf’s fix-ups.',
    });
    const clean = check(stage([]), loaded(stage([])));
    expect(kernelHeadline(clean).text).toContain('Both as compiled');
    expect(kernelHeadline({ ...check(stage([])), onBase: true }).text).toContain('module');
  });

  it('state that the kernel does not see it if libbpf aborts', () => {
    const found = check(stage([]), loaded(stage([problem()]), { stopped: 'No size.' }));
    expect(kernelHeadline(found)).toMatchObject({ outcome: 'unseen', refusal: null });
    expect(libbpfHeadline(found)).toMatchObject({ outcome: 'refused', text: 'No size.' });
  });

  it('state that libbpf does not open the file of an object, and leave kernels as they are', () => {
    const rule = { rule: 'There is a symbol table.', where: 'bpf_object__elf_collect' };
    const elf = { verdict: 'refused', errno: 'ENOENT', message: 'elf: no', ...rule } as const;
    const found = { ...check(stage([])), elf, isObject: true };
    expect(kernelHeadline(found).outcome).toBe('unseen');
    expect(libbpfHeadline(found)).toMatchObject({
      title: 'libbpf 1.8 does not open this file',
      refusal: { errno: 'ENOENT', line: 'elf: no' },
    });
    const kernel = { ...found, isObject: false };
    expect([kernelHeadline(kernel).outcome, libbpfHeadline(kernel).outcome]).toEqual(['ok', 'ok']);
  });

  it("have libbpf's log line, also if there is none", () => {
    const of = (message: string) =>
      libbpfHeadline(
        check(stage([], { libbpf: { verdict: 'refused', errno: 'EPROTO', message } })),
      );
    expect(of('btf: bad')).toMatchObject({ refusal: { errno: 'EPROTO', line: 'btf: bad' } });
    expect(of('').text).toBe('It logs nothing.');
    expect(libbpfHeadline(check(stage([]))).outcome).toBe('ok');
  });
});

describe('a big-endian blob', () => {
  const header = problem({ word: 'btf_header not found', typeId: null, blobOffset: 4 });
  const big = (native: Verdict['native']) =>
    stage([header, problem()], { native, machine: 'big-endian' });

  it('is judged for its own machine, and its byte order is not a problem', () => {
    const found = big(OK);
    expect(isForeign(found)).toBe(true);
    expect(shownProblems(found)).toEqual([problem()]);
    expect(kernelHeadline(check(found)).title).toBe(
      'Linux 6.18 on a big-endian machine accepts this BTF',
    );
    expect(isForeign(big(refused(problem())))).toBe(true);
  });

  it('is none where both kernels say the same', () => {
    expect(isForeign(stage([problem()]))).toBe(false);
    expect(shownProblems(stage([problem()]))).toHaveLength(1);
    expect(isForeign(stage([]))).toBe(false);
  });
});

describe('firstStage', () => {
  const bytes = (start: number) => ({ kind: 'bytes', start, end: start + 4 }) as const;

  it('is as loaded where libbpf loads it, with problems left or without', () => {
    expect(firstStage(check(stage([problem()])), NO_SELECTION)).toBe('stored');
    expect(firstStage(check(stage([problem()]), loaded(stage([]))), NO_SELECTION)).toBe('loaded');
    expect(firstStage(check(stage([]), loaded(stage([]))), NO_SELECTION)).toBe('loaded');
    const left = check(stage([problem()]), loaded(stage([problem()])));
    expect(firstStage(left, NO_SELECTION)).toBe('loaded');
    const stopped = check(stage([problem()]), loaded(stage([problem()]), { stopped: 'x' }));
    expect(firstStage(stopped, NO_SELECTION)).toBe('stored');
  });

  it('is at the selected bytes', () => {
    const found = check(stage([problem()]), loaded(stage([]), { rewrites: [REWRITE] }));
    expect(firstStage(found, bytes(164))).toBe('rewrites');
    expect(firstStage(found, bytes(88))).toBe('stored');
    expect(firstStage(found, bytes(4))).toBe('loaded');
    if (found.loaded === null) throw new Error('not loaded');
    expect(selectedRewrite(found, found.loaded, bytes(164))).toBe(0);
    expect(selectedRewrite(found, found.loaded, NO_SELECTION)).toBeNull();
  });
});

describe('problemRows', () => {
  const one = problem();
  const two = problem({ typeId: 2 });
  const name = problem({ word: 'Invalid name', rule: 'A name.', blobOffset: 40, by: 'both' });
  const lib = problem({ typeId: 3, by: 'libbpf' });
  const all = [one, two, name, lib];
  const text = (rows: ReturnType<typeof problemRows>) =>
    rows.map((row) => (row.kind === 'group' ? row.count : row.problem));

  it('has groups by type in the order of their first problem', () => {
    expect(text(problemRows(all, 'all', 'type'))).toEqual([2, one, name, 1, two, 1, lib]);
  });

  it('has groups by rule, and words of two rules apart', () => {
    const other = problem({ typeId: 4, rule: 'Another rule.' });
    expect(text(problemRows([...all, other], 'all', 'rule'))).toEqual([
      3,
      one,
      two,
      lib,
      1,
      name,
      1,
      other,
    ]);
  });

  it('names each place once where the rule of a group is written', () => {
    const [group] = problemRows([one, two, problem({ where: 'elsewhere' })], 'all', 'rule');
    expect(group).toMatchObject({ where: [one.where, 'elsewhere'] });
  });

  it('shows what both refuse under either filter', () => {
    expect(countsBy(all)).toEqual({ all: 4, kernel: 3, libbpf: 2 });
    expect(text(problemRows(all, 'libbpf', 'type'))).toEqual([1, name, 1, lib]);
    expect(problemRows([one], 'libbpf', 'type')).toEqual([]);
  });

  it('begins with the grouping of fewer groups', () => {
    expect(firstGrouping([one, two])).toBe('rule');
    expect(firstGrouping([one, name])).toBe('type');
    expect(firstGrouping([one])).toBe('type');
  });
});

describe('openRow', () => {
  const one = problem();
  const two = problem({ typeId: 2, blobOffset: 40 });
  const rows = problemRows([one, two], 'all', 'type');
  const places = {
    spanOf: ({ blobOffset, length }: Problem) => ({ start: blobOffset, end: blobOffset + length }),
    typeOf: (of: Problem) => (of.typeId === null ? null : typeId(of.typeId)),
  };
  const open = (read: (typeof rows)[number] | null, selection: Parameters<typeof openRow>[2]) =>
    rows.indexOf(openRow(rows, read, selection, places) ?? { kind: 'problem', problem: one });

  it('is what was clicked, until something else is selected', () => {
    const clicked = rows[3] ?? null;
    expect(open(clicked, { kind: 'bytes', start: 40, end: 44 })).toBe(3);
    expect(open(clicked, { kind: 'bytes', start: 24, end: 28 })).toBe(1);
    expect(open(rows[2] ?? null, NO_SELECTION)).toBe(2);
  });

  it('follows the selection by bytes, then by type, and is else the first problem', () => {
    expect(open(null, { kind: 'bytes', start: 40, end: 44 })).toBe(3);
    expect(open(null, typeSelection(typeId(2)))).toBe(3);
    expect(open(null, typeSelection(typeId(9)))).toBe(1);
    expect(openRow([], null, NO_SELECTION, places)).toBeNull();
  });
});

it('a report has all that is known, with names escaped', () => {
  const text = problemReport('a.o', problem({ by: 'both', sentence: 'x\u202ey' }), {
    start: 24,
    end: 28,
  });
  expect(text.split('\n')).toEqual([
    'a.o: x\\u{202e}y',
    '  rejected by: kernel and libbpf',
    '  log: vlen != 0',
    '  rule: vlen is 0.',
    '  source: kernel/bpf/btf.c: btf_int_check_meta',
    '  type: [1]',
    '  bytes: 0x18 to 0x1c (4 bytes)',
  ]);
});

it('states how much was checked', () => {
  expect(coverageText(1200, false)).toMatch(/^1\u202f200 types, .* the \d\d rules of Linux 6\.18/);
  expect(coverageText(3, true)).toContain('rules of Linux 6.18 for the BTF of a module');
});

it('gives the reason if there is no BTF to check', async () => {
  const model = await sampleModel('kinds.bpf.o');
  expect(noCheck(model).title).toBe('The bytes of .BTF cannot be read');
  const bare = { ...model, sections: { ...model.sections, count: 0 } };
  expect(noCheck(bare).title).toBe('This object has no BTF to check');
  expect(noCheck({ ...bare, machine: null }).title).toBe('This file has no BTF to check');
});
