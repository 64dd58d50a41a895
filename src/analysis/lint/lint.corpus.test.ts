/** Checks the lint of every corpus file: damaged files have issues, valid files have none. */
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import {
  type CorpusFile,
  corpusEdges,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { openObject } from '#testing/open-model.ts';
import { lintModel } from './lint.ts';
import { ORIGIN_CODES } from './origin-codes.ts';

async function findingsIn(entry: CorpusFile): Promise<readonly Issue[]> {
  const { model, source } = await openObject(entry.name, readCorpusFile(entry));
  return lintModel(model, source);
}

/** Returns true for the issue of `p[-1]`: libbpf refuses the index, so that the issue is right. */
const isNegativeIndex = (issue: Issue) => /stands for -1/.test(issue.message);

/**
 * Returns true for the variable of a map that the linker leaves at 0 in the DATASEC, and for a kfunc
 * with its implicit argument: kernel-btf.corpus.test.ts and datasecs.test.ts check these.
 */
const isTrueFinding = (file: CorpusFile, { code }: Issue) =>
  code === 'btf.kfunc-implicit-argument' ||
  (file.id.startsWith('linked__') && code.startsWith('btf.datasec-'));

type Report = readonly [file: string, ...codes: string[]];

// In the large corpus, kind 20 in the file below is another kind (see testing/corpus.ts).
const FUTURE: readonly Report[] = isLargeCorpus
  ? []
  : [['btf_layout_future_le.btf', 'btf.reference-to-unknown-kind']];
const REPORTS: readonly Report[] = [
  ...FUTURE,
  ['btf_names.btf', 'btf.name-not-identifier', 'btf.name-not-utf8', 'btf.name-hidden-characters'],
  ['btf_name_offsets.btf', 'btf.name-outside'],
  ['btf_cycle_typedef_three_tail.btf', 'btf.cycle'],
  ['btf_cycle_struct_self.btf', 'btf.cycle'],
  ['btf_cycle_struct_array.btf', 'btf.cycle'],
  ['btf_cycle_proto.btf', 'btf.reference-kind'],
  ['btf_cycle_anon_union.btf', 'btf.cycle'],
  ['btf_dangling.btf', 'btf.dangling-type', 'btf.dangling-types'],
  ['btf_void_places.btf', 'btf.void'],
  ['btf_huge_array.btf', 'btf.array-size'],
  ['btf_bits_odd.btf', 'btf.bitfield-width', 'btf.members-overlap', 'btf.bitfield-kind'],
  ['btf_bits_odd.btf', 'btf.member-past-end', 'btf.member-bit-start'],
  ['btf_enum_odd.btf', 'btf.enum-value', 'btf.enum-size', 'btf.enumerator-twice'],
  ['btf_linkage.btf', 'btf.linkage', 'btf.reference-kind'],
  ['btf_modifier_names.btf', 'btf.name-not-wanted', 'btf.unnamed.INT', 'btf.unnamed.TYPEDEF'],
  ['elf_ext_core_kind13.o', 'core.unknown-kind'],
  ['elf_ext_core_kind4294967295.o', 'core.unknown-kind'],
  ['elf_ext_core_insn_odd.o', 'core.no-such-instruction'],
  ['elf_ext_core_insn_past.o', 'core.no-such-instruction'],
  ['elf_ext_core_insn_neg.o', 'core.no-such-instruction'],
  ['elf_ext_core_type_void.o', 'core.root-type'],
  ['elf_ext_core_type_oob.o', 'core.root-type'],
  ['elf_ext_core_str_oob.o', 'core.access-string-outside'],
  ['elf_core_access_01.o', 'core.access-string'],
  ['elf_core_access_06.o', 'core.access-path'],
  ['elf_core_access_07.o', 'core.access-path'],
  ['elf_core_access_15.o', 'core.access-string'],
  ['elf_ext_line_unsorted.o', 'ext.line-order'],
  ['elf_ext_func_type_int.o', 'ext.function-kind'],
  ['elf_ext_func_type_oob.o', 'ext.function-type'],
  ['elf_text_half_imm64.o', 'code.ld-imm64-cut'],
  ['elf_text_all_opcodes.o', 'code.unknown-opcode'],
  ['elf_text_jumps_out.o', 'code.jump-outside', 'code.jump-into-ld-imm64'],
  ['elf_text_regs.o', 'code.no-such-register'],
];

describe('findings on the corpus', () => {
  const edges = new Map(corpusEdges().map((edge) => [edge.id, edge]));

  it.each(REPORTS)('%s', async (file, ...codes) => {
    const edge = edges.get(file);
    if (edge === undefined) throw new Error(`the corpus has no ${file}`);
    const issues = await findingsIn(edge);
    expect(issues.map((issue) => issue.code)).toEqual(expect.arrayContaining(codes));
    for (const { span } of issues) {
      if (span !== null) expect(span.end).toBeLessThanOrEqual(readCorpusFile(edge).length);
    }
  });

  it.skipIf(!isLargeCorpus).each([
    ['func0not0', 'ext.function-start'],
    ['dupfunc', 'ext.function-order'],
    ['boundary', 'ext.function-count'],
    ['linemiss', 'ext.line-start'],
    ['dupline', 'ext.line-order'],
    ['desc', 'ext.line-order'],
    ['numinfo0', 'ext.block-empty'],
  ])('tells of func_info and line_info of %s.o that the kernel rejects', async (name, code) => {
    const file = { id: name, name: `${name}.o`, file: `crafted/${name}.o` };
    const { model, source } = await openObject(file.name, readCorpusFile(file));
    const codes = [...model.issues, ...(await lintModel(model, source))].map((one) => one.code);
    expect(codes).toContain(code);
  });

  it.skipIf(!isLargeCorpus)(
    'tells of each broken location, and of none that is right',
    async () => {
      const wrong: unknown[] = [];
      let count = 0;
      for (const row of corpusRows('inline/index.jsonl')) {
        if (!row.text('file').endsWith('.btf') || row.list('base').length > 0) continue;
        count += 1;
        const name = row.text('name');
        const bytes = readCorpusFile({ id: name, name, file: `inline/${row.text('file')}` });
        const { model, source } = await openObject(name, bytes);
        const codes = [...model.issues, ...(await lintModel(model, source))]
          .map(({ code }) => code)
          // A note about equal names is about no location.
          .filter((code) => !ORIGIN_CODES.includes(code) && !code.startsWith('btf.same-name'));
        // A layout section that lacks a kind does not harm this reader: ignore the report about it.
        const reports = row
          .texts('report')
          .filter((text) => !text.startsWith('layout has no entry'));
        if (codes.length > 0 !== reports.length > 0) wrong.push([name, reports, codes]);
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(50);
    },
  );

  it
    .skipIf(!isLargeCorpus)
    .each([
      'btf_hdr32_layout_le.btf',
      'btf_hdr32_layout_be.btf',
      'btf_struct_vlen70000.btf',
      'btf_proto_vlen65540.btf',
      'btf_datasec_vlen66000.btf',
      'btf_deep_typedef.btf',
      'btf_deep_struct.btf',
      'btf_deep_array.btf',
      'elf_small.o',
      'elf_70000_sections.o',
      'elf_rel_many.o',
      'elf_text_big.o',
    ])('%s is sound', async (file) => {
    const edge = edges.get(file);
    if (edge === undefined) throw new Error(`the corpus has no ${file}`);
    expect((await findingsIn(edge)).filter((issue) => issue.severity !== 'note')).toEqual([]);
  });

  it.skipIf(!isLargeCorpus)(
    'leaves kernels, modules and what compilers wrote in peace',
    async () => {
      const files = [...corpusKernels(), ...corpusModules(), ...corpusObjects()];
      for (const file of files) {
        const odd = (await findingsIn(file)).filter((issue) => issue.severity !== 'note');
        expect(
          odd.filter((issue) => !isNegativeIndex(issue) && !isTrueFinding(file, issue)),
          file.id,
        ).toEqual([]);
      }
      expect(files.length).toBeGreaterThan(300);
    },
    120_000,
  );
});
