import { describe, expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { logLine } from '#analysis/core/spec.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { linkLog, parseLog } from '#testing/all-at-once.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  int,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { corpusKernel, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';

const table = (...types: readonly TypeRecord[]): TypeTable => tableOf(btfBlob({ types }).bytes);
const target = (types: TypeTable) => ({ name: 'vmlinux', types });

/** BTF: [5] struct inode {i_ino; (anonymous: i_atime_sec, i_atime_nsec); slots: [4] array of 3}. */
const kernel = table(
  int('long', 8),
  typedef('time64_t', 1),
  union('', 16, [
    { name: 'i_atime_sec', type: 2, bitOffset: 0 },
    { name: 'i_atime_nsec', type: 1, bitOffset: 64 },
  ]),
  array(1, 1, 3),
  struct('inode', 64, [
    { name: 'i_ino', type: 1, bitOffset: 0 },
    { name: '', type: 3, bitOffset: 64 },
    { name: 'slots', type: 4, bitOffset: 192 },
  ]),
  enumeration('e', [
    ['RED', 0],
    ['GREEN___v2', 1],
  ]),
);

/** Returns the links of a text to one kernel, without an object. */
function inKernel(text: string) {
  const [link] = linkLog(parseLog(text).lines, null, [target(kernel)]);
  return link?.targets[0]?.types[0] ?? null;
}

describe('names in a target', () => {
  it('that are not there: which step fails, and what may be meant', () => {
    const text =
      'failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)';
    expect(inKernel(text)).toEqual({
      root: 5,
      steps: [],
      fault: {
        atStep: 0,
        reason: 'no-member',
        container: 5,
        name: 'i_atime',
        near: ['i_atime_sec', 'i_atime_nsec'],
      },
    });
  });

  it('that are there, through anonymous members and flavours', () => {
    const found = inKernel(
      "prog 'p': relo #0: <byte_off> [4] struct inode___old.i_atime_nsec (0:1 @ offset 0)",
    );
    expect(found?.fault).toBeNull();
    expect(found?.steps.map(({ container, index }) => [container, index])).toEqual([
      [5, 1],
      [3, 1],
    ]);
  });

  it.each([
    ['slots[2]', null],
    ['slots[3]', 'outside'],
    ['slots.x', 'not-composite'],
    ['i_ino[0]', 'not-array'],
  ])('%s: %s', (path, reason) => {
    const found = inKernel(
      `prog 'p': relo #0: <byte_off> [4] struct inode.${path} (0:1 @ offset 0)`,
    );
    expect(found?.fault?.reason ?? null).toBe(reason);
  });

  it('of enumerators, by their essential names', () => {
    const spec = (name: string) =>
      inKernel(`prog 'p': relo #0: <enumval_value> [4] enum e::${name} = 1`);
    expect(spec('GREEN')).toMatchObject({ fault: null, steps: [{ index: 1 }] });
    expect(spec('GREAN')?.fault).toMatchObject({ reason: 'no-enumerator', near: [] });
    expect(spec('RED_')?.fault?.near).toEqual(['RED']);
  });

  it('of types that it does not have', () => {
    expect(inKernel("prog 'p': relo #0: <type_exists> [4] struct nothing")).toBeNull();
    expect(inKernel("prog 'p': relo #0: <type_exists> [4] union inode")).toBeNull();
  });

  it('by cilium/ebpf, with the member if it is named', () => {
    const found = inKernel(
      'program p: fixup CO-RE relocations: x: struct inode: field i_atime: not found',
    );
    expect(found?.fault).toMatchObject({ name: 'i_atime', near: ['i_atime_sec', 'i_atime_nsec'] });
  });

  it('in structs that hold themselves, ten thousand deep', () => {
    const deep = table(
      ...Array.from({ length: 10_000 }, (_, i) =>
        struct(i === 0 ? 'root' : '', 8, [
          { name: '', type: ((i + 1) % 10_000) + 1, bitOffset: 0 },
        ]),
      ),
    );
    const lines = parseLog(
      "prog 'p': relo #0: <byte_off> [4] struct root.x (0:0 @ offset 0)",
    ).lines;
    const [link] = linkLog(lines, null, [target(deep)]);
    expect(link?.targets[0]?.types[0]?.fault?.reason).toBe('no-member');
  });
});

it('a real log on a kernel where the field has another name', () => {
  const file = corpusKernel(kernelIds.third);
  const text =
    'failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)';
  const [link] = linkLog(parseLog(text).lines, null, [target(tableOf(readCorpusFile(file)))]);
  const [found] = link?.targets[0]?.types ?? [];
  expect(found?.fault).toMatchObject({ atStep: 0, reason: 'no-member', name: 'i_atime' });
  expect(found?.fault?.near.slice(0, 2)).toEqual(['i_atime_sec', 'i_atime_nsec']);
});

/** Returns the first line that libbpf logs for each record, as a log. */
function logOf(model: ObjectModel): string[] {
  const { types } = model;
  if (types === null) throw new Error('an object with records has types');
  return Array.from({ length: model.ext.core.count }, (_, i) => {
    const { root, accessStr, kind, func, relocIndexInSection } = coreRecord(model, coreIndex(i));
    const spec = logLine(kind, root, walkAccess(types, root, accessStr, kind).spec);
    return `libbpf: prog '${func?.name}': relo #${relocIndexInSection}: ${spec}`;
  });
}

describe('records of an object', () => {
  it('each line links to its own record and local type', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const links = linkLog(parseLog(logOf(model).join('\n')).lines, model, []);
    expect(links.map((link) => link.record)).toEqual(
      Array.from({ length: model.ext.core.count }, (_, i) => i),
    );
    for (const { local, record } of links) {
      const { root } = coreRecord(model, record ?? coreIndex(0));
      expect(local).toMatchObject({ root, fault: null });
    }
  });

  it('a log of another build has no links', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const [first = ''] = logOf(model);
    const shifted = first.replace(/> \[(\d+)\]/, (_all, id) => `> [${Number(id) + 1}]`);
    const [link] = linkLog(parseLog(shifted).lines, model, []);
    expect(link).toMatchObject({ record: null, others: [], local: null });
  });

  it('without a place, all records of the same spec are found', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const lines = logOf(model).map((line) =>
      line.replace(/^.*relo #\d+: /, 'failed to resolve CO-RE relocation '),
    );
    const links = linkLog(parseLog(lines.join('\n')).lines, model, []);
    for (const [i, { record, others }] of links.entries()) {
      expect(record === null ? others : [record]).toContain(i);
    }
  });

  it('lines about a relocation link to it without a spec, others have no link', async () => {
    const model = await sampleModel('exec_trace.bpf.o');
    const { func, relocIndexInSection } = coreRecord(model, coreIndex(2));
    const text = `libbpf: prog '${func?.name}': relo #${relocIndexInSection}: no matching targets found\nprocessed 1 insns`;
    const links = linkLog(parseLog(text).lines, model, []);
    expect(links).toMatchObject([{ lineNumber: 0, record: 2, local: null, targets: [] }]);
  });
});
