/** Tests that each edge case of ELF is refused, has an issue or is accepted, as its row says. */
import { describe, expect, it } from 'vitest';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { corpusEdges, type EdgeRow, readCorpusFile } from '#testing/corpus.ts';
import { type ElfParts, ingestElf, readSection, sectionsNamed } from './elf.ts';

/** Reports about ELF in the rows. Other tests check the reports about `.BTF` and code. */
const ELF_REPORTS: readonly RegExp[] = [
  /^no sections$/,
  /^absurd number of sections$/,
  /^section names cannot be read$/,
  /: past the end of the file$/,
  /^sections overlap$/,
  /: decompressed size differs from the header$/,
  /: compression header truncated$/,
  /^symbol names outside /,
  /^\.(strtab|BTF) has no bytes$/,
  /^symbols in sections that do not exist$/,
  /^SHN_XINDEX without \.symtab_shndx$/,
  /: string table is not a string table$/,
  /^relocations (with symbols that do not exist|outside their section)$/,
  /^unknown relocation types$/,
  /: section \d+ does not exist$/,
  /^SHT_RELR not understood$/,
  /^unknown ELF version$/,
  /^machine is none, code reads as BPF\?$/,
  /^unknown machine \d+$/,
  /^not a relocatable file$/,
  /^a core dump$/,
  /^section header size \d+$/,
  /^section header table past the end of the file$/,
];

const rows = corpusEdges().filter((row) => row.kind === 'elf');
const named = (accept: EdgeRow['accept']) =>
  rows.filter((row) => row.accept === accept).map((row) => [row.id, row] as const);

async function open(row: EdgeRow): Promise<{ parts: ElfParts; issues: Issue[] }> {
  const source = bufferSource(row.name, readCorpusFile(row));
  const issues: Issue[] = [];
  const parts = await ingestElf(source, issues);
  const btf = sectionsNamed(parts.sections, '.BTF')[0];
  if (btf !== undefined) await readSection(source, parts, btf, issues);
  return { parts, issues };
}

describe('edge rows', () => {
  it('exist, of each kind', () => {
    for (const accept of ['ok', 'warn', 'refuse'] as const) {
      expect(named(accept).length).toBeGreaterThan(5);
    }
  });

  it.each(named('refuse'))('%s is refused', async (_id, row) => {
    const refusal = await open(row).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Malformed);
    const { issue } = refusal instanceof Malformed ? refusal : { issue: null };
    for (const report of row.report) expect(issue?.message).toContain(report);
    expect(issue).toMatchObject({ severity: 'error', span: { start: expect.any(Number) } });
    expect(issue?.expected).toBeTruthy();
    expect(issue?.found).toBeTruthy();
  });

  it.each(named('warn'))('%s is opened with a warning', async (_id, row) => {
    const { issues } = await open(row);
    for (const report of row.report.filter((r) => ELF_REPORTS.some((known) => known.test(r)))) {
      const words = report.replace('?', '').replace('not understood', 'not supported');
      const told = issues.filter((i) => i.severity !== 'note' && i.message.includes(words));
      expect(told.map((i) => i.message)).toHaveLength(1);
      expect(told[0]?.span).not.toBeNull();
      expect(told[0]?.found).toBeTruthy();
    }
  });

  it.each(named('ok'))('%s is opened without a warning', async (_id, row) => {
    const { parts, issues } = await open(row);
    expect(issues.filter((issue) => issue.severity !== 'note')).toEqual([]);
    for (const report of row.report) {
      const [, count, what] = /^(\d+) (sections|relocations)$/.exec(report) ?? [];
      if (what === 'sections') expect(parts.sections.count).toBe(Number(count));
      if (what === 'relocations') expect(largest(parts.relocations.relSection)).toBe(Number(count));
    }
  });
});

/** Returns how often the most frequent value occurs: the number of rows of one section. */
function largest(values: Uint32Array): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values());
}
