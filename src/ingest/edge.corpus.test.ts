/** Tests that every edge case of the corpus opens, has an issue, or is refused as its row says. */
import { describe, expect, it } from 'vitest';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { btfOf } from '#model/object-model.ts';
import { openWithFindings } from '#testing/all-issues.ts';
import { corpusEdges, type EdgeRow, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';

/** Maps the report in a row to the code of an issue. The first match is used. */
const TOLD: readonly (readonly [report: RegExp, code: string])[] = [
  [/skipped by the layout/, 'btf.unknown-kinds'],
  [/refer to types of unknown kind/, 'btf.reference-to-unknown-kind'],
  [/unknown kind \d+ and no layout/, 'btf.walk-no-layout'],
  [/outside the layout/, 'btf.walk-outside-layout'],
  [/layout size \d+ of kind \d+/, 'btf.walk-odd-layout'],
  [/unknown layout flags/, 'btf.layout-flags'],
  [/invalid layout section length/, 'btf.layout-length'],
  [/overlaps? the (type|string) section|type and string sections overlap/, 'btf.sections-overlap'],
  [/unknown header data/, 'btf.header-unknown-data'],
  [/header length \d+ too short/, 'btf.header-too-short'],
  [/magic but header length/, 'btf.header-past-end'],
  [/unknown BTF flags/, 'btf.flags'],
  [/past the end of the type section/, 'btf.walk-past-end'],
  [/empty string section/, 'btf.strings-empty'],
  [/string section does not start with NUL/, 'btf.strings-start'],
  [/bytes after the string section/, 'btf.trailing'],
  [/string section past the end|sections past the end/, 'btf.section-past-end'],
  [/truncated: header incomplete/, 'btf.header-truncated'],
  [/^not (BTF|ELF)$|^empty file$|not a file this reader knows/, 'file.unknown'],
  [/names that are not C identifiers/, 'btf.name-not-identifier'],
  [/no UTF-8 shown as escapes/, 'btf.name-not-utf8'],
  [/zero-width characters made visible/, 'btf.name-hidden-characters'],
  [/name offset outside the strings/, 'btf.name-outside'],
  [/cycle without a pointer|contains itself|contain each other/, 'btf.cycle'],
  [/as argument and result|function of a/, 'btf.reference-kind'],
  [/references to types that do not exist/, 'btf.dangling-types'],
  [/: void$|: array of void|: variable of void/, 'btf.void'],
  [/sizes past 2\^32|size past 2\^64/, 'btf.array-size'],
  [/wider than its type/, 'btf.bitfield-width'],
  [/: overlaps /, 'btf.members-overlap'],
  [/bit field on a/, 'btf.bitfield-kind'],
  [/past the end of the struct/, 'btf.member-past-end'],
  [/is no bit field/, 'btf.member-bit-start'],
  [/value -?\d+ does not fit/, 'btf.enum-value'],
  [/^type \[\d+\]: size \d+$/, 'btf.enum-size'],
  [/enumerator \w+ twice/, 'btf.enumerator-twice'],
  [/linkage \d+/, 'btf.linkage'],
  [/: kind 0$/, 'btf.kind-zero'],
  [/^name on /, 'btf.name-not-wanted'],
  [/without a name/, 'btf.unnamed.INT'],
  [/^no sections$/, 'elf.no-sections'],
  [/absurd number of sections/, 'elf.section-count-absurd'],
  [/section names cannot be read/, 'elf.no-section-names'],
  [/section header table past the end/, 'elf.section-headers-past-end'],
  [/\.BTF\.ext: \w+_info records past the end/, 'ext.records-past-end'],
  [/\.BTF\.ext: line_info past the end/, 'ext.part-past-end'],
  [/\.BTF\.ext: \w+_info past the end/, 'ext.records-past-end'],
  [/\.BTF\.ext: bad magic/, 'ext.bad-magic'],
  [/\.BTF\.ext: bad \w+ record size/, 'ext.record-size'],
  [/\.BTF\.ext: \w+ section without records/, 'ext.block-empty'],
  [/\.BTF\.ext: \w+ section name outside/, 'ext.section-name-outside'],
  [/: past the end of the file/, 'elf.section-past-end'],
  [/sections overlap/, 'elf.sections-overlap'],
  [/decompressed size differs/, 'elf.unpacked-size'],
  [/compression header truncated/, 'elf.compression-header-truncated'],
  [/symbol names outside/, 'elf.symbol-name-outside'],
  [/\.strtab has no bytes/, 'elf.string-table-empty'],
  [/has no bytes/, 'elf.section-empty'],
  [/symbols in sections that do not exist/, 'elf.symbol-section-absent'],
  [/SHN_XINDEX without/, 'elf.no-extended-index'],
  [/string table is not a string table/, 'elf.no-string-table'],
  [/relocations with symbols that do not exist/, 'elf.relocation-symbol-absent'],
  [/relocations outside their section/, 'elf.relocation-outside'],
  [/unknown relocation types/, 'elf.unknown-relocation-type'],
  [/section \d+ does not exist/, 'elf.relocated-section-absent'],
  [/SHT_RELR not understood/, 'elf.undecoded-relocations.SHT_RELR'],
  [/more than one .* section/, 'elf.section-twice'],
  [/\.BTF\.ext without \.BTF/, 'btf.ext-without-btf'],
  [/\.BTF\.base without \.BTF/, 'btf.base-without-btf'],
  [/-endian, the file /, 'btf.other-endian'],
  [/CO-RE record \d+: unknown kind/, 'core.unknown-kind'],
  [/CO-RE record \d+: no such instruction/, 'core.no-such-instruction'],
  [/CO-RE record \d+: root type/, 'core.root-type'],
  [/access string outside/, 'core.access-string-outside'],
  [/access string '0:(99|0:0)'/, 'core.access-path'],
  [/access string '/, 'core.access-string'],
  [/line records not sorted/, 'ext.line-order'],
  [/function record \d+: type is not a FUNC/, 'ext.function-kind'],
  [/function record \d+: no such type/, 'ext.function-type'],
  [/64-bit load cut/, 'code.ld-imm64-cut'],
  [/unknown opcodes/, 'code.unknown-opcode'],
  [/jump targets outside/, 'code.jump-outside'],
  [/jump into a 64-bit load/, 'code.jump-into-ld-imm64'],
  [/registers that do not exist/, 'code.no-such-register'],
  [/unknown ELF class/, 'elf.unknown-class'],
  [/unknown byte order/, 'elf.unknown-byte-order'],
  [/section headers make no sense/, 'elf.header-absurd'],
  [/ELF header truncated/, 'elf.header-truncated'],
  [/unknown ELF version/, 'elf.unknown-version'],
  [/machine is none/, 'elf.machine-none'],
  [/unknown machine/, 'elf.unknown-machine'],
  [/not a relocatable file|a core dump/, 'elf.not-relocatable'],
  [/section header size/, 'elf.section-header-size'],
  [/no members/, 'ar.empty'],
  [/member runs past the end/, 'ar.member-past-end'],
  [/thin archive/, 'ar.thin'],
  [/compressed data truncated/, 'container.truncated'],
  [/checksum of the compressed data/, 'container.checksum'],
  [/size past the limit/, 'container.too-large'],
];

/** Rows that do not describe their file correctly, and the reason. */
const WRONG_ROWS: ReadonlyMap<string, string> = new Map([
  [
    'elf_ext_core_type_ptr.o',
    'byte by byte the same file as elf_rebuilt.o, of which nothing is to be told',
  ],
]);

/** Files that open as their rows say, but with warnings of additional checks. */
const ODD_INSIDE: ReadonlyMap<string, string> = new Map([
  [
    'btf_wide_struct.btf',
    'its structs are smaller than what is in them, which kernel 6.18 refuses',
  ],
  ['elf_btf_with_layout.o', 'its .BTF.ext is still that of another .BTF'],
]);

const CUT_MAGIC_OR_EMPTY = /^(btf_cut_0001\.btf|btf_empty\.btf)$/;

const rows = corpusEdges();
/** Without its base, split BTF has different issues. Other tests open it on its base. */
const alone = rows.filter((row) => row.base === null);
const split = rows.filter((row) => row.base !== null);
const named = (list: readonly EdgeRow[]) => list.map((row) => [row.name, row] as const);
const accepted = (accept: EdgeRow['accept']) =>
  named(alone.filter((row) => row.accept === accept && !WRONG_ROWS.has(row.name)));

function codeOf(report: string): string {
  const found = TOLD.find(([pattern]) => pattern.test(report));
  if (found === undefined) throw new Error(`nothing is known of the report "${report}"`);
  return found[1];
}

const open = (row: EdgeRow) => openWithFindings(row.name, readCorpusFile(row));
const spoken = (issues: readonly Issue[]) => issues.filter((i) => i.severity !== 'note');

async function openAsTold(row: EdgeRow) {
  const { opened, issues } = await open(row);
  if (opened.kind === 'atlas') throw new Error(`${row.name} was read as an atlas`);
  expect(opened.kind === 'archive').toBe(row.kind === 'archive');
  if (opened.kind === 'object' && row.types !== null) {
    expect(btfOf(opened.model)?.count ?? 0).toBe(row.types);
  }
  return { issues, ofReading: opened.kind === 'object' ? opened.model.issues : opened.issues };
}

describe('every edge row', () => {
  it.skipIf(!isLargeCorpus)('is one of these outcomes', () => {
    const counted = (['ok', 'warn', 'refuse'] as const).flatMap(accepted);
    expect(counted.length + split.length + WRONG_ROWS.size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(200);
  });

  it.each(accepted('ok'))('%s is opened without a warning', async (name, row) => {
    const { issues, ofReading } = await openAsTold(row);
    expect(spoken(ofReading)).toEqual([]);
    if (ODD_INSIDE.has(name)) expect(spoken(issues)).not.toEqual([]);
    else expect(spoken(issues)).toEqual([]);
  });

  it.skipIf(!isLargeCorpus).each(accepted('warn'))(
    '%s is opened, and told of what is odd',
    async (_name, row) => {
      const { issues } = await openAsTold(row);
      const codes = issues.map((issue) => issue.code);
      expect(codes).toEqual(expect.arrayContaining(row.report.map(codeOf)));
      expect(spoken(issues)).not.toEqual([]);
    },
  );

  it.each(accepted('refuse'))(
    '%s is refused with the reason',
    async (name, row) => {
      const error: unknown = await open(row).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Malformed);
      const issue = error instanceof Malformed ? error.issue : null;
      // The file is too short to detect its format.
      const isUnknown = CUT_MAGIC_OR_EMPTY.test(name) || /_cut_0*[0-3]\.o$/.test(name);
      expect(issue?.code).toBe(isUnknown ? 'file.unknown' : codeOf(row.report[0] ?? ''));
      expect(issue?.severity).toBe('error');
      expect(issue?.message).not.toBe('');
    },
    60_000,
  );

  it.each(named(split))(
    '%s is opened without its base, and told to be split',
    async (_name, row) => {
      const { opened, issues } = await open(row);
      expect(opened.kind === 'object' && opened.model.types?.split).toBe(true);
      expect(issues.map((issue) => issue.code)).toContain('btf.base-missing');
    },
  );

  it.skipIf(!isLargeCorpus).each([...WRONG_ROWS])('%s is wrong: %s', async (name) => {
    const row = rows.find((r) => r.name === name);
    const twin = rows.find((r) => r.name === 'elf_rebuilt.o');
    if (row === undefined || twin === undefined) throw new Error('the rows are gone');
    expect(Buffer.compare(readCorpusFile(row), readCorpusFile(twin))).toBe(0);
    expect(twin.accept).toBe('ok');
    expect(spoken((await open(row)).issues)).toEqual([]);
  });
});
