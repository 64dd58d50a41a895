import { beforeAll, describe, expect, it } from 'vitest';
import { coreIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { linkLog, parseLog } from '#testing/all-at-once.ts';
import { sampleModel } from '#testing/samples.ts';
import { lineParts, type TargetTypes } from './LineText.tsx';

let model: ObjectModel;
let target: TargetTypes;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
  const { types } = await sampleModel('kernel.btf');
  if (types === null) throw new Error('the example has types');
  target = { file: 7, types };
});

function partsOf(text: string, on: TargetTypes | null = target) {
  const { lines } = parseLog(text);
  const [line] = lines;
  if (line === undefined) throw new Error('no line');
  const parts = lineParts(
    { file: 3, model, program: null },
    line,
    linkLog(lines, model, [])[0] ?? null,
    on,
  );
  expect(parts.map((part) => part.text).join('')).toBe(line.text);
  return parts.flatMap(({ text: words, goal }) => (goal === null ? [] : [{ words, ...goal }]));
}

describe('links inside a line', () => {
  it('are the relocation, its type and its member', () => {
    const text =
      "libbpf: prog 'on_exec': relo #2: <byte_off> [31] struct cred.uid.val (0:0:0 @ offset 0)";
    expect(partsOf(text)).toEqual([
      {
        words: 'relo #2',
        selection: { kind: 'core', core: coreIndex(2), step: null },
        view: 'core',
        title: 'Inspect relocation',
        file: 3,
      },
      {
        words: '[31] struct cred',
        selection: typeSelection(typeId(31)),
        view: 'types',
        title: 'Show type',
        file: 3,
      },
      {
        words: '.uid.val',
        selection: typeSelection(typeId(31), [0, 0]),
        view: 'types',
        title: 'Show member',
        file: 3,
      },
    ]);
  });

  it('are the instruction, counted from the start of its program', () => {
    const [relo, insn] = partsOf(
      "libbpf: prog 'state_of': relo #4: patched insn #7 (ALU/ALU64) imm 0 -> 8",
    );
    expect(relo?.selection).toEqual({ kind: 'core', core: 22, step: null });
    expect(insn).toMatchObject({ words: 'insn #7', view: 'code', selection: { kind: 'insn' } });
    const row = model.ext.core.insnOff[22];
    expect(insn?.selection).toMatchObject({ insnOff: row });
  });

  it('are types of both sides where a candidate is found', () => {
    const cred = 25;
    const text = `libbpf: CO-RE relocating [31] struct cred: found target candidate [${cred}] struct cred in [vmlinux]`;
    expect(partsOf(text)).toMatchObject([
      { words: '[31] struct cred', file: 3 },
      { words: `[${cred}] struct cred`, file: 7, title: 'Show type in the target' },
    ]);
    expect(partsOf(text, null)).toHaveLength(1);
  });

  it('are the candidate and its member in the target', () => {
    const text =
      "libbpf: prog 'on_exec': relo #2: matching candidate #0 <byte_off> [25] struct cred.uid.val (0:1:0 @ offset 8)";
    expect(partsOf(text)).toMatchObject([
      { words: 'relo #2' },
      { words: '[25] struct cred', file: 7 },
      { words: '.uid.val', file: 7, view: 'types' },
    ]);
  });

  it.each([
    [
      'another build',
      "libbpf: prog 'on_exec': relo #2: <byte_off> [99] struct x.y (0:0 @ offset 0)",
    ],
    ['no such program', "libbpf: prog 'nobody': relo #2: substituting insn #1 w/ invalid insn"],
    [
      'behind its end',
      "libbpf: prog 'state_of': relo #99: substituting insn #9999 w/ invalid insn",
    ],
    ['nothing that is known', 'relo #2 of on_exec'],
  ])('are none in a log of %s', (_, text) => {
    expect(partsOf(text)).toEqual([]);
  });
});
