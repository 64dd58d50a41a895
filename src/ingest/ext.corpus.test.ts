/**
 * Tests edge cases, and compares results for `.BTF.ext` sections with one fault with libbpf's. Does
 * not compare `libbpf_msg`, which libbpf 1.8 prints only at debug level.
 */
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { NO_SECTIONS } from '#model/sections.ts';
import { corpusEdges, corpusList, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { ingestBtf } from './btf.ts';
import { ingestElf, readSection, sectionsNamed } from './elf.ts';
import { ingestExt } from './ext.ts';

async function open(name: string, bytes: Uint8Array) {
  const source = bufferSource(name, bytes);
  const parts = await ingestElf(source, []);
  const regionOf = async (section: string) => {
    const [index] = sectionsNamed(parts.sections, section);
    const read = index === undefined ? null : await readSection(source, parts, index, []);
    if (read === null) throw new Error(`${name} has no ${section}`);
    return { ...read, region: section };
  };
  const { types } = ingestBtf(await regionOf('.BTF'), null, []);
  const issues: Issue[] = [];
  const { ext } = ingestExt(await regionOf('.BTF.ext'), types, parts.sections, issues);
  return { types, ext, issues };
}

/**
 * Code of the fault in each file, and the numbers of readable func, line and CO-RE records. In
 * `line_len_huge` core_relo_off is wrong, and in `core_len_huge` the func_info record size.
 */
const EDGES: Readonly<Record<string, readonly [string | null, number, number, number]>> = {
  'elf_ext_magic.o': ['ext.bad-magic', 0, 0, 0],
  'elf_ext_hdr24.o': ['ext.no-core-part', 2, 12, 0],
  'elf_ext_func_recsize0.o': ['ext.record-size', 0, 12, 5],
  'elf_ext_func_recsize7.o': ['ext.record-size', 0, 12, 5],
  'elf_ext_func_num_huge.o': ['ext.records-past-end', 0, 12, 5],
  'elf_ext_func_num0.o': ['ext.block-empty', 0, 12, 5],
  'elf_ext_line_recsize0.o': ['ext.record-size', 2, 0, 5],
  'elf_ext_line_recsize9.o': ['ext.record-size', 2, 0, 5],
  'elf_ext_line_num_huge.o': ['ext.records-past-end', 2, 0, 5],
  'elf_ext_line_len_huge.o': ['ext.part-past-end', 2, 12, 0],
  'elf_ext_core_recsize0.o': ['ext.record-size', 2, 12, 0],
  'elf_ext_core_recsize7.o': ['ext.record-size', 2, 12, 0],
  'elf_ext_core_recsize9.o': ['ext.record-size', 2, 12, 0],
  'elf_ext_core_num_huge.o': ['ext.records-past-end', 2, 12, 0],
  'elf_ext_core_num0.o': ['ext.block-empty', 2, 12, 0],
  'elf_ext_core_secname_oob.o': ['ext.section-name-outside', 2, 12, 5],
  'elf_ext_core_len_huge.o': ['ext.records-past-end', 0, 12, 5],
};

describe('edge cases of .BTF.ext', () => {
  const rows = corpusEdges().filter((row) => /^elf_ext_(?!only)/.test(row.name));

  it.skipIf(!isLargeCorpus).each(rows.map((row) => [row.name, row] as const))(
    '%s',
    async (name, row) => {
      const { types, ext, issues } = await open(name, readCorpusFile(row));
      const [code = null, ...counts] = EDGES[name] ?? [null, 2, 12, 5];
      expect(types.count).toBe(row.types);
      expect(issues.map((i) => i.code)).toEqual(
        expect.arrayContaining(code === null ? [] : [code]),
      );
      expect([ext.func.count, ext.line.count, ext.core.count]).toEqual(counts);
      if (row.accept === 'ok') expect(issues.filter((i) => i.severity !== 'note')).toEqual([]);
    },
  );
});

describe('.BTF.ext with a result of libbpf', () => {
  const rows = corpusList('validity-ext/ext-verdicts.json');

  it('exists', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows.map((row) => [row.text('name'), row.text('file'), row] as const))(
    '%s (%s)',
    async (_name, path, row) => {
      const file = { id: path, name: path, file: `objects/${row.text('base')}.o` };
      const { types } = await open(path, readCorpusFile(file));
      const bytes = readCorpusFile({ id: path, name: path, file: `validity-ext/${path}` });
      const issues: Issue[] = [];
      ingestExt({ bytes, fileOffset: 0, region: '.BTF.ext' }, types, NO_SECTIONS, issues);
      // libbpf does not check section names when it reads `.BTF.ext`.
      const faults = issues.filter(
        (i) => i.severity !== 'note' && i.code !== 'ext.section-name-outside',
      );
      expect(faults.length > 0).toBe(row.text('libbpf') !== 'ok');
    },
  );
});
