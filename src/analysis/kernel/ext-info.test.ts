import { describe, expect, it } from 'vitest';
import { lintModel } from '#analysis/lint/lint.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import type { Issue } from '#bytes/issue.ts';
import { spanOf } from '#bytes/span.ts';
import type { ExtTables } from '#model/ext.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { extFindings } from './ext-info.ts';

/** Object with a program in its own section, and count_bytes and ipv4_header in .text. */
const SAMPLE = 'xdp_counter.bpf.o';

/** Writes 32-bit words into a copy of the sample and returns the issues of the copy. */
async function patched(
  patch: (model: ObjectModel) => readonly (readonly [offset: number, value: number])[],
  name = SAMPLE,
): Promise<readonly Issue[]> {
  const bytes = sampleBytes(name);
  const view = new DataView(bytes.buffer);
  const model = await sampleModel(name);
  for (const [offset, value] of patch(model)) {
    view.setUint32(offset, value, model.endian === 'little');
  }
  const object = await openObject(name, bytes);
  return lintModel(object.model, object.source);
}

const func = (model: ObjectModel, name: string) => {
  const found = functionsOf(model).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
};

/** Returns the rows of `records` in the function `name`. */
function rowsIn(model: ObjectModel, records: ExtTables['func' | 'line'], name: string): number[] {
  const { section, start, end } = func(model, name);
  return Array.from({ length: records.count }, (_, row) => row).filter((row) => {
    const insnOff = records.insnOff[row] ?? 0;
    return records.section[row] === section && insnOff >= start && insnOff < end;
  });
}

const place = (records: ExtTables['func' | 'line'], row = -1) => records.recordOffset[row] ?? 0;

/** Returns the code of each issue with the message of the kernel or libbpf. */
const told = (issues: readonly Issue[]) => issues.map(({ code, advice }) => [code, advice]);

const REFUSED = 'BPF_PROG_LOAD fails with EINVAL: ';

describe('func_info', () => {
  const program = (model: ObjectModel) => {
    const first = functionsOf(model).find((one) => one.isProgram);
    if (first === undefined) throw new Error('no program');
    return first.name;
  };

  it('has insn_off 0 in the first record of a program', async () => {
    const issues = await patched((model) => {
      const [row] = rowsIn(model, model.ext.func, program(model));
      return [[place(model.ext.func, row), 8]];
    });
    expect(told(issues)).toEqual([
      ['ext.function-start', `${REFUSED}nonzero insn_off 1 for the first func info record`],
    ]);
  });

  it('has a record at the start of each subprogram', async () => {
    const issues = await patched((model) => {
      const [row] = rowsIn(model, model.ext.func, 'ipv4_header');
      return [[place(model.ext.func, row), func(model, 'ipv4_header').start + 16]];
    });
    expect(told(issues)).toEqual([
      [
        'ext.function-start',
        `${REFUSED}func_info BTF section doesn't match subprog layout in BPF program`,
      ],
    ]);
  });

  it('has as many records as functions', async () => {
    const issues = await patched((model) => {
      const [first, second] = ['count_bytes', 'ipv4_header'].sort(
        (a, b) => func(model, a).start - func(model, b).start,
      );
      const [row] = rowsIn(model, model.ext.func, second ?? '');
      return [[place(model.ext.func, row), func(model, first ?? '').start + 8]];
    });
    expect(told(issues)).toEqual([
      [
        'ext.function-count',
        `${REFUSED}number of funcs in func_info doesn't match number of subprogs`,
      ],
      [
        'ext.function-missing',
        'libbpf does not load a program that has func_info and calls it: missing .BTF.ext function info',
      ],
    ]);
  });

  it('strictly increases', async () => {
    const issues = await patched((model) => {
      const [first, second] = ['count_bytes', 'ipv4_header'].sort(
        (a, b) => func(model, a).start - func(model, b).start,
      );
      const [row] = rowsIn(model, model.ext.func, second ?? '');
      return [[place(model.ext.func, row), func(model, first ?? '').start]];
    });
    expect(told(issues)[0]).toEqual([
      'ext.function-order',
      `${REFUSED}same or smaller insn offset than previous func info record`,
    ]);
  });
});

describe('the type of func_info', () => {
  it('names a FUNC', async () => {
    const issues = await patched((model) => [[place(model.ext.func, 0) + 4, 1]]);
    expect(told(issues)).toContainEqual([
      'ext.function-kind',
      `${REFUSED}invalid type id 1 in func info`,
    ]);
    const missing = await patched((model) => [[place(model.ext.func, 0) + 4, 0xfffff]]);
    expect(told(missing)).toContainEqual([
      'ext.function-type',
      `${REFUSED}invalid type id 1048575 in func info`,
    ]);
  });
});

describe('line_info', () => {
  it('has its names inside the strings', async () => {
    const issues = await patched((model) => [[place(model.ext.line, 0) + 8, 0xfffffff]]);
    expect(told(issues)).toEqual([
      ['ext.line-string', `${REFUSED}Invalid line_info.line_off or .file_name_off`],
    ]);
  });

  it('has a record at the first instruction of each function', async () => {
    const issues = await patched((model) => {
      const [row] = rowsIn(model, model.ext.line, 'count_bytes');
      const at = place(model.ext.line, row);
      return [[at, func(model, 'count_bytes').start + 8]];
    });
    expect(told(issues)).toContainEqual([
      'ext.line-start',
      `${REFUSED}missing bpf_line_info for func#`,
    ]);
  });

  it('strictly increases', async () => {
    const issues = await patched((model) => {
      const [first, second] = rowsIn(model, model.ext.line, 'count_bytes');
      return [[place(model.ext.line, second), model.ext.line.insnOff[first ?? 0] ?? 0]];
    });
    expect(told(issues)).toEqual([['ext.line-order', `${REFUSED}Invalid line_info.insn_off`]]);
  });

  it('has at the first instruction the record that is first in the file', async () => {
    const issues = await patched((model) => {
      const [first, second] = rowsIn(model, model.ext.line, 'count_bytes');
      const { insnOff } = model.ext.line;
      return [
        [place(model.ext.line, first), insnOff[second ?? 0] ?? 0],
        [place(model.ext.line, second), insnOff[first ?? 0] ?? 0],
      ];
    });
    expect(told(issues)).toEqual([
      ['ext.line-order', `${REFUSED}Invalid line_info.insn_off`],
      ['ext.line-start', `${REFUSED}missing bpf_line_info for func#`],
    ]);
  });

  it('is not at the second half of a 64-bit load', async () => {
    const issues = await patched((model) => {
      const { line } = model.ext;
      const bytes = sampleBytes(SAMPLE);
      for (let row = 0; row < line.count; row++) {
        const section = line.section[row] ?? 0;
        const insnOff = line.insnOff[row] ?? 0;
        const opcode = bytes[(model.sections.fileOffset[section] ?? 0) + insnOff];
        const next = line.insnOff[row + 1] ?? 0;
        const isLoad = opcode === 0x18 && line.section[row + 1] === section && next > insnOff + 8;
        // Skip a load at the start of a function: the function would have no record at its start.
        const isFirst = functionsOf(model).some((one) => one.start === insnOff);
        if (isLoad && !isFirst) return [[place(line, row), insnOff + 8]];
      }
      throw new Error('no load');
    });
    expect(told(issues)).toEqual([
      ['ext.line-half', `${REFUSED}Invalid insn code at line_info.insn_off`],
    ]);
  });
});

describe('records that are longer than the kernel knows', () => {
  /** Returns the issues after `more` bytes of `value` are added to each record of a table. */
  async function lengthened(what: 'function' | 'line', more: number, value: number) {
    const { types, ...model } = await sampleModel(SAMPLE);
    if (types === null) throw new Error('no types');
    const table = what === 'line' ? 'line' : 'func';
    const known = what === 'line' ? 16 : 8;
    const recordSize = known + more;
    const old = model.ext[table];
    const recordOffset = old.recordOffset.map((_, row) => 4096 + row * recordSize);
    const longer = { ...old, recordSize, recordOffset };
    const bytes = new Uint8Array(old.count * recordSize).fill(value);
    const ext = { ...model.ext, [table]: longer };
    const tail = { what, records: longer, bytes, fileOffset: 4096 };
    const steps = extFindings({ ...model, types, ext }, types, [], [tail]);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return { found: step.value, known };
  }

  it('have at most 252 bytes, and zeros behind the fields of the kernel', async () => {
    const first = async (what: 'function' | 'line', more: number, value: number) => {
      const { found, known } = await lengthened(what, more, value);
      expect(new Set(found.map(({ code }) => code)).size).toBeLessThan(2);
      const [issue] = found;
      if (value > 0) expect(issue?.span).toEqual(spanOf(4096 + known, more));
      return issue && [issue.code, issue.advice];
    };
    expect(await first('line', 4, 0)).toBeUndefined();
    expect(await first('function', 4, 0)).toBeUndefined();
    const E2BIG = 'BPF_PROG_LOAD fails with E2BIG: ';
    expect(await first('line', 4, 7)).toEqual([
      'ext.line-tail',
      `${E2BIG}nonzero tailing record in line_info`,
    ]);
    expect(await first('function', 4, 7)).toEqual([
      'ext.function-tail',
      `${E2BIG}nonzero tailing record in func info`,
    ]);
    expect(await first('line', 240, 0)).toEqual([
      'ext.line-record-size',
      `${REFUSED}nothing is logged`,
    ]);
    expect(await first('function', 248, 0)).toEqual([
      'ext.function-record-size',
      `${REFUSED}invalid func info rec size 256`,
    ]);
  });
});

it.each(['kinds.bpf.o', 'doc_call.bpf.o', 'data_relocs.be.bpf.o'])(
  'finds nothing in %s, whose subprograms return numbers',
  async (name) => {
    expect(await patched(() => [], name)).toEqual([]);
  },
);

it.each([
  ['a tail call', 0x85, `${REFUSED}tail_call is only allowed in functions that return 'int'.`],
  ['a load of a packet', 0x20, `${REFUSED}LD_ABS is only allowed in functions that return 'int'.`],
] as const)('finds %s in a subprogram that returns void', async (_what, opcode, line) => {
  // The first instruction becomes a call of helper 12, or LD_ABS; the function returns void.
  const issues = await patched((model) => {
    const { section, start, typeId } = func(model, 'ipv4_header');
    const { types } = model;
    if (types === null || typeId === null) throw new Error('no types');
    const fileOf = (id: number) =>
      (types.fileOffset ?? 0) + (types.recordOff[id - types.firstId] ?? 0);
    const view = new DataView(sampleBytes(SAMPLE).buffer);
    const proto = view.getUint32(fileOf(typeId) + 8, true);
    const code = (model.sections.fileOffset[section] ?? 0) + start;
    return [
      [code, opcode],
      [code + 4, 12],
      [fileOf(proto) + 8, 0],
    ];
  });
  expect(told(issues)).toContainEqual(['ext.function-return', line]);
});
