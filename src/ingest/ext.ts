/** Reads `.BTF.ext`. A damaged part becomes an issue. Source: "BTF Type Format", section 4.2. */
import { append } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import {
  EXT_RECORD_SIZE,
  type ExtBlock,
  type ExtHeader,
  type ExtPart,
  type ExtPartHeader,
  readExtHeader,
  readExtPart,
} from '#formats/btf/ext-blocks.ts';
import { type ExtTables, NO_EXT } from '#model/ext.ts';
import { sectionIndex } from '#model/ids.ts';
import type { HeaderBlock } from '#model/object-model.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import { stringAt, strLenOf, type TypeTable } from '#model/type-table.ts';
import type { BtfRegion } from './btf.ts';
import { extHeaderBlock, extHeaderOddities } from './header-blocks.ts';

/** Reads `region`, with names in the strings of `types`. Returns null for a bad header. */
export function ingestExt(
  region: BtfRegion,
  types: TypeTable,
  sections: SectionTable,
  issues: Issue[],
): { ext: ExtTables; header: HeaderBlock | null } {
  const anyOrder = new ByteReader(region.bytes, region.region, 'little', region.fileOffset ?? 0);
  const header = attempt(issues, () => readExtHeader(anyOrder));
  if (header === null) return { ext: NO_EXT, header: null };
  const reader = anyOrder.as(header.endian);
  append(issues, extHeaderOddities(reader, header, types.endian));
  return {
    ext: readTables(reader, header, sectionNames(types, sections), issues),
    header: extHeaderBlock(reader, header),
  };
}

function readTables(
  reader: ByteReader,
  header: ExtHeader,
  names: SectionNames,
  issues: Issue[],
): ExtTables {
  const read = (part: ExtPartHeader | null): { part: ExtPart; rows: Rows } => {
    const result = part === null ? absent : readExtPart(reader, part);
    append(issues, result.issues);
    if (part !== null) append(issues, nameIssues(reader, part, result.blocks, names));
    return { part: result, rows: rowsOf(reader, result, names) };
  };
  const func = read(header.funcInfo);
  const line = read(header.lineInfo);
  const core = read(header.coreRelo);
  const column = (of: { part: ExtPart; rows: Rows }, fieldOffset: number): Uint32Array =>
    columnOf(reader, of.part, of.rows.count, fieldOffset);
  return {
    func: { ...func.rows, insnOff: column(func, 0), typeId: column(func, 4) },
    line: {
      ...line.rows,
      insnOff: column(line, 0),
      fileNameOff: column(line, 4),
      lineOff: column(line, 8),
      lineCol: column(line, 12),
    },
    core: {
      ...core.rows,
      insnOff: column(core, 0),
      typeId: column(core, 4),
      accessStrOff: column(core, 8),
      kind: column(core, 12),
    },
  };
}

type Rows = Omit<ExtTables['func'], 'insnOff' | 'typeId'>;

const absent: ExtPart = { recordSize: EXT_RECORD_SIZE.core_relo, blocks: [], issues: [] };

/** Returns the columns that all parts have. All blocks fit in the section, which limits `count`. */
function rowsOf(reader: ByteReader, part: ExtPart, names: SectionNames): Rows {
  const count = part.blocks.reduce((sum, block) => sum + block.numInfo, 0);
  const rows = {
    count,
    section: new Int32Array(count),
    secNameOff: new Uint32Array(count),
    indexInSection: new Uint32Array(count),
    recordOffset: new Float64Array(count),
    recordSize: part.recordSize,
  };
  let row = 0;
  for (const block of part.blocks) {
    const section = names.find(block.secNameOff);
    for (let i = 0; i < block.numInfo; i++, row++) {
      rows.section[row] = section;
      rows.secNameOff[row] = block.secNameOff;
      rows.indexInSection[row] = i;
      rows.recordOffset[row] = reader.fileOffset + block.recordsOffset + i * part.recordSize;
    }
  }
  return rows;
}

/** Returns the u32 at `fieldOffset` of each record. */
function columnOf(
  reader: ByteReader,
  part: ExtPart,
  count: number,
  fieldOffset: number,
): Uint32Array {
  const column = new Uint32Array(count);
  let row = 0;
  for (const block of part.blocks) {
    for (let i = 0; i < block.numInfo; i++) {
      column[row++] = reader.u32(block.recordsOffset + i * part.recordSize + fieldOffset);
    }
  }
  return column;
}

/** Finds ELF sections by name. The names are strings in `.BTF`. */
type SectionNames = {
  readonly isOutside: (secNameOff: number) => boolean;
  /** Returns the index of the first section whose name is at `secNameOff`, or -1. */
  readonly find: (secNameOff: number) => number;
  /** Size of all strings in bytes. Valid offsets are below it. */
  readonly limit: number;
  readonly text: (secNameOff: number) => string;
  /** False if there are no sections: `.BTF.ext` without an ELF file. */
  readonly any: boolean;
};

function sectionNames(types: TypeTable, sections: SectionTable): SectionNames {
  const byName = new Map<string, number>();
  for (let i = 1; i < sections.count; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (name !== '' && !byName.has(name)) byName.set(name, i);
  }
  const limit = strLenOf(types);
  const isOutside = (secNameOff: number) => secNameOff >= limit;
  return {
    isOutside,
    find: (off) => (isOutside(off) ? -1 : (byName.get(stringAt(types, off)) ?? -1)),
    limit,
    text: (off) => stringAt(types, off),
    any: byName.size > 0,
  };
}

/** Returns issues about section names: per part one for bad offsets, one for missing sections. */
function nameIssues(
  reader: ByteReader,
  { name }: ExtPartHeader,
  blocks: readonly ExtBlock[],
  names: SectionNames,
): Issue[] {
  const issues: Issue[] = [];
  const outside = blocks.filter((b) => names.isOutside(b.secNameOff));
  const [firstOutside] = outside;
  if (firstOutside !== undefined) {
    issues.push({
      severity: 'warning',
      code: 'ext.section-name-outside',
      region: reader.region,
      message: `${blockCount(outside.length, name)} section name outside the strings of .BTF`,
      span: reader.span(firstOutside.offset, 4),
      expected: `below ${names.limit}`,
      found: `${firstOutside.secNameOff}`,
    });
  }
  const missing = names.any
    ? blocks.filter((b) => !names.isOutside(b.secNameOff) && names.find(b.secNameOff) < 0)
    : [];
  const [firstMissing] = missing;
  if (firstMissing !== undefined) {
    // Only a note: loaders ignore blocks of missing sections, which linkers often leave.
    issues.push({
      severity: 'note',
      code: 'ext.no-such-section',
      region: reader.region,
      message: `${blockCount(missing.length, name)} section name that no section of the file has`,
      span: reader.span(firstMissing.offset, 4),
      found: names.text(firstMissing.secNameOff),
    });
  }
  return issues;
}

function blockCount(count: number, part: string): string {
  return count === 1 ? `A ${part} block has a` : `${count} ${part} blocks have a`;
}
