/** Compares the verdicts on blobs of the corpus with those of a real kernel 6.18 and libbpf 1.8. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMON_STRUCTS } from '#analysis/kernel/field-kinds.ts';
import { namesOfKind } from '#analysis/kernel/kernel.ts';
import type { KernelVerdict, LibbpfVerdict } from '#analysis/kernel/verdict.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import {
  corpusEdges,
  corpusKernels,
  corpusList,
  corpusModules,
  corpusPath,
  corpusRows,
  isLargeCorpus,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { checkBtf } from './check-btf.ts';

const errnoOf = (verdict: KernelVerdict | LibbpfVerdict) =>
  verdict.verdict === 'ok' ? 'ok' : verdict.errno;
const wordOf = (verdict: KernelVerdict) => (verdict.verdict === 'ok' ? '' : verdict.word);
const messageOf = (verdict: LibbpfVerdict) => (verdict.verdict === 'ok' ? '' : verdict.message);

/** 524 is the kernel's own number for ENOTSUPP; user space has no name for it. */
const named = (errno: string) => (errno === '524' ? 'ENOTSUPP' : errno);

describe('validity rows', () => {
  const packed = (name: string) => readCorpusFile({ id: name, name, file: `validity/${name}.zst` });
  const rows = corpusList('validity/validity.json.zst');
  const pack = packed('blobs.pack');
  const judged = rows.map((row) => {
    const start = row.number('pack_off');
    return { row, verdict: checkBtf(pack.subarray(start, start + row.number('size')), null) };
  });

  it.skipIf(!isLargeCorpus)('are more than 2,000', () => {
    expect(rows.length).toBeGreaterThan(2000);
  });

  it('have the verdict and error number of the kernel', () => {
    const wrong = judged
      .map(({ row, verdict }) => [
        row.text('name'),
        named(row.text('verdict')),
        errnoOf(verdict.kernel),
      ])
      .filter(([, wanted, found]) => wanted !== found);
    expect(wrong).toEqual([]);
  });

  it('have the word of the kernel', () => {
    const wrong = judged
      .map(({ row, verdict }) => [row.text('name'), row.text('error_word'), wordOf(verdict.kernel)])
      .filter(([, wanted, found]) => wanted !== found);
    expect(wrong).toEqual([]);
  });

  it('name the type that the kernel logs', () => {
    const wrong = judged.flatMap(({ row, verdict: { kernel } }) => {
      if (kernel.verdict === 'ok') return [];
      const line = row.text('error_line');
      // An indented line is about an item of the type above. If a line names no type, the row has
      // the type that was named last.
      const isNamed = row.has('error_type_id') && /^[\t[]/.test(line);
      const wanted = isNamed ? row.number('error_type_id') : null;
      return kernel.typeId === wanted ? [] : [[row.text('name'), wanted, kernel]];
    });
    expect(wrong).toEqual([]);
  });

  it.skipIf(!isLargeCorpus)('have the verdict and message of libbpf', () => {
    const wrong = judged
      .filter(({ row }) => row.has('libbpf'))
      .map(({ row, verdict: { libbpf } }) => [
        row.text('name'),
        `${row.text('libbpf')} ${row.text('libbpf_msg')}`,
        `${errnoOf(libbpf)} ${messageOf(libbpf) && `libbpf: ${messageOf(libbpf)}`}`,
      ])
      .filter(([, wanted, found]) => wanted !== found);
    expect(wrong).toEqual([]);
  });

  it.skipIf(!isLargeCorpus)(
    'are judged alike on their own machines, whether built for little-endian or big',
    () => {
      const opened = new Map(
        judged
          .filter(({ row }) => row.text('group') === 'opened')
          .map(({ row, verdict }) => [row.text('object'), verdict]),
      );
      const pairs = [...opened].flatMap(([id, big]) => {
        const little = opened.get(id.replace(/^prog-be__/, 'prog__'));
        return id.startsWith('prog-be__') && little !== undefined ? [{ id, big, little }] : [];
      });
      expect(pairs.length).toBeGreaterThan(10);
      for (const { id, big, little } of pairs) {
        expect([id, big.kernel.verdict]).toEqual([id, 'refused']);
        expect([id, wordOf(big.native)]).toEqual([id, wordOf(little.kernel)]);
      }
    },
  );

  it('have a problem for each refusal, none where both accept, and each in the blob', () => {
    for (const { row, verdict } of judged) {
      const accepted = verdict.kernel.verdict === 'ok' && verdict.libbpf.verdict === 'ok';
      expect(verdict.problems.length > 0, row.text('name')).toBe(!accepted);
      for (const { blobOffset, length } of verdict.problems) {
        expect(blobOffset + length, row.text('name')).toBeLessThanOrEqual(row.number('size'));
      }
    }
  });
});

describe('edge rows', () => {
  const rows = corpusEdges().filter(({ kind }) => kind === 'btf');
  const judged = rows.flatMap((edge) => {
    const tools = edge.row.row('tools');
    if (!tools.has('kernel_6.18') || !tools.has('libbpf_1.8_parse_raw')) return [];
    const verdict = checkBtf(readCorpusFile(edge), null);
    return [{ edge, tools, verdict }];
  });

  it('have the line of the kernel', () => {
    const wrong = judged.flatMap(({ edge, tools, verdict: { kernel } }) => {
      const line = tools.text('kernel_6.18');
      const right =
        line.startsWith(errnoOf(kernel).replace('ENOTSUPP', '524')) &&
        line.includes(wordOf(kernel));
      return right ? [] : [[edge.id, line, kernel]];
    });
    expect(wrong).toEqual([]);
  });

  it('have the message of libbpf', () => {
    const wrong = judged.flatMap(({ edge, tools, verdict: { libbpf } }) => {
      const line = tools.text('libbpf_1.8_parse_raw');
      const right = libbpf.verdict === 'ok' ? line === 'ok' : line.endsWith(messageOf(libbpf));
      return right && line !== '' ? [] : [[edge.id, line, libbpf]];
    });
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(!isLargeCorpus)('rows with location kinds', () => {
  const rows = isLargeCorpus ? [...corpusRows('inline/index.jsonl')] : [];
  const judged = rows
    .filter((row) => row.text('file').endsWith('.btf') && row.list('base').length === 0)
    .map((row) => {
      const file = {
        id: row.text('name'),
        name: row.text('name'),
        file: `inline/${row.text('file')}`,
      };
      return { row, verdict: checkBtf(readCorpusFile(file), null) };
    });

  it('have the verdict that bpf-next would give, and none that Linux 6.18 accepts', () => {
    expect(judged.length).toBeGreaterThan(50);
    const wrong = judged.flatMap(({ row, verdict: { next, native } }) => {
      const wanted = row.row('kernel_read').text('verdict');
      const right = errnoOf(next) === wanted && native.verdict === 'refused';
      return right ? [] : [[row.text('name'), wanted, next, native]];
    });
    expect(wrong).toEqual([]);
  });

  it('have its line', () => {
    const wrong = judged.flatMap(({ row, verdict: { next } }) => {
      const read = row.row('kernel_read');
      const line = read.has('line') ? read.text('line') : '';
      if (next.verdict === 'ok' || !line.startsWith('[') || line.includes('inferred')) return [];
      const right = line.startsWith(`[${next.typeId}] ${next.word}`);
      return right ? [] : [[row.text('name'), line, next]];
    });
    expect(wrong).toEqual([]);
  });
});

describe('BTF of kernels and modules', () => {
  const kernels = corpusKernels();
  const modules = corpusModules();
  const ofVersion = (id: string) =>
    modules.filter((m) => m.id.startsWith(id) && m.name.endsWith('.btf'));

  it.each(kernels.filter(({ id }) => id !== kernelIds.bits32))(
    '$id is accepted, with all its modules',
    async (kernel) => {
      const bytes = readCorpusFile(kernel);
      const { native, libbpf, problems } = checkBtf(bytes, null);
      expect([native.verdict, libbpf.verdict]).toEqual(['ok', 'ok']);
      expect(problems.filter(({ word }) => word !== 'btf_header not found')).toEqual([]);
      const { types } = await openModel(kernel.name, bytes);
      for (const module of ofVersion(kernel.id)) {
        const verdict = checkBtf(readCorpusFile(module), types);
        expect([module.id, verdict.kernel, verdict.problems]).toEqual([
          module.id,
          { verdict: 'ok' },
          [],
        ]);
        expect(checkBtf(readCorpusFile(module), null).kernel).toMatchObject({
          word: 'Invalid string section',
        });
      }
    },
  );

  it('of 32 bits is refused for its pointers, which have 8 bytes where the kernel has 64', () => {
    const kernel = kernels.find(({ id }) => id === kernelIds.bits32);
    expect(kernel).toBeDefined();
    if (kernel === undefined) return;
    const verdict = checkBtf(readCorpusFile(kernel), null);
    expect(verdict.kernel).toMatchObject({ word: 'Member exceeds struct_size' });
    expect(verdict).toMatchObject({ native: { verdict: 'ok' }, machine: '32-bit' });
    expect(verdict.problems).toHaveLength(1);
  });
});

describe.skipIf(!isLargeCorpus)('blobs of which the kernel refuses the special fields', () => {
  it.each([
    [2, 'ENOENT'],
    [17, 'EEXIST'],
    [40, 'ELOOP'],
  ])('with error %d: %s, without a log line', (number, errno) => {
    const { kernel } = checkBtf(readFileSync(corpusPath(`attack/metas-errno${number}.btf`)), null);
    expect(kernel).toMatchObject({ verdict: 'refused', errno, word: '' });
  });
});

describe.skipIf(!isLargeCorpus)('the structs that each kernel has', () => {
  it('are in all kernels since 6.12', async () => {
    const recent = corpusKernels().filter(({ id }) => /^(?:6\.1[2-9]|7\.)/.test(id));
    expect(recent.length).toBeGreaterThan(0);
    for (const kernel of recent) {
      const { types } = await openModel(kernel.name, readCorpusFile(kernel));
      const names = new Set(types === null ? [] : namesOfKind(types, BtfKind.STRUCT));
      expect([kernel.id, COMMON_STRUCTS.filter((name) => !names.has(name))]).toEqual([
        kernel.id,
        expect.toBeOneOf([[], ['bpf_res_spin_lock', 'bpf_task_work'], ['bpf_task_work']]),
      ]);
    }
  });
});
