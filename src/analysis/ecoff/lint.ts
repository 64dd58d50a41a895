/** Finds eCOFF entries that lack a partner or break a rule of the specification (4.2.1, 4.3.4). */
import { append, upperBound } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt, isTlsClass, storageClassName } from '#formats/ecoff/external-symbols.ts';
import {
  IMMED,
  LITUSE,
  R,
  R_SN_LITA,
  R_SN_TLSBSS,
  R_SN_TLSDATA,
  RELOCATION_SIZE,
  type Relocation,
  type RelocationTable,
  relocationAt,
  relocationTypeName,
  sectionNumberName,
  sectionNumberOf,
} from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { compactFindings } from './compact-lint.ts';
import { subtypeName, symndxRole, symndxValue } from './entry-text.ts';
import { isStackType } from './expression.ts';
import { groupIssues, tableFacts } from './groups.ts';
import { LDA, LDAH } from './relocate.ts';
import { branchOf, sitesOf, wordAt } from './sites.ts';

/** Maximum number of issues per kind and table. The last issue states the total. */
const MAX_ISSUES = 200;

/** Returns the issues of all tables, in table order. Yields so that a caller can pause. */
export function* ecoffFindings(file: EcoffFile): Generator<void, readonly Issue[]> {
  const issues: Issue[] = [];
  for (const table of file.relocations) {
    const name = file.sections[table.section]?.name ?? '';
    yield;
    append(issues, fewOf(groupIssues(table, name, tableFacts(file, table).groups)));
    yield;
    append(issues, fewOf(restrictionIssues(file, table)));
  }
  append(issues, yield* compactFindings(file));
  return issues;
}

function fewOf(issues: readonly Issue[]): readonly Issue[] {
  const last = issues[MAX_ISSUES];
  if (last === undefined) return issues;
  const more = issues.length - MAX_ISSUES;
  return [
    ...issues.slice(0, MAX_ISSUES),
    { ...last, message: `${last.message}; and ${more} more entries of this section` },
  ];
}

const LOCAL_ONLY: readonly number[] = [
  ...[R.literal, R.lituse, R.gpdisp, R.opStore, R.gpvalue, R.tlsLiteral],
];
const LITA_ONLY: readonly number[] = [R.literal, R.tlsLiteral];
/** Relocation types that use `r_size`. */
const SIZED: readonly number[] = [R.opStore, R.immed];
const JUMP = 0x1a;
/** Names of sections without raw data, in which nothing can be patched. */
const NO_RAW_DATA: readonly string[] = ['.bss', '.sbss', '.tlsbss'];
/** By type of the low half: phrase about its high half. TLS halves have the same rule (4.3.3.7). */
const AS_HIGH: ReadonlyMap<number, string> = new Map([
  [R.gprellow, 'as in its GPRELHIGH'],
  [R.tlsLow, 'as in its TLS_HIGH'],
]);
const TLS_HALVES: readonly number[] = [R.tlsHigh, R.tlsLow];

/** Returns one issue per invalid entry of `table`, about the first rule that the entry breaks. */
export function restrictionIssues(file: EcoffFile, table: RelocationTable): readonly Issue[] {
  const issues: Issue[] = [];
  const section = file.sections[table.section];
  const { groups, groupOf } = tableFacts(file, table);
  let expressionEnd = 0;
  /** Starts of the gp ranges so far, and the entries at which ranges begin. */
  const gpStarts: bigint[] = [];
  const gpEnds = gpValueEntries(table);
  for (let n = 0; n < table.count; n++) {
    const entry = relocationAt(table, n);
    const group = groups[groupOf[n] ?? -1];
    if (entry.rType === R.gpvalue) gpStarts.push(entry.rVaddr);
    if (group?.kind === 'expression') expressionEnd = group.members.at(-1) ?? 0;
    const isBetween = n < expressionEnd && entry.rType !== R.abs && !isStackType(entry.rType);
    const isOutside =
      section !== undefined && sitesOf(file, section, entry).some((site) => site.found === null);
    const rule =
      brokenRule(file, entry) ??
      (isBetween ? 'is between OP_PUSH and OP_STORE, expected only stack entries there' : null) ??
      (isOutside ? 'points outside its section' : brokenPair(file, table, n, entry)) ??
      brokenRange(entry, gpStarts, rangeEnd(table, n, gpEnds));
    if (rule === null) continue;
    const start = table.fileOffset + n * RELOCATION_SIZE;
    issues.push({
      severity: 'warning',
      code: 'ecoff.relocation-field',
      message: `${section?.name ?? ''}: entry ${n}, ${relocationTypeName(entry.rType) ?? `type ${entry.rType}`}, ${rule}`,
      span: { start, end: start + RELOCATION_SIZE },
      region: `${section?.name ?? ''} relocations`,
    });
  }
  return issues;
}

function brokenRule(file: EcoffFile, entry: Relocation): string | null {
  const { rType, rExtern, rSymndx } = entry;
  if (relocationTypeName(rType) === null) return 'is an unknown type';
  if (rType === R.abs) return null;
  if (rExtern && LOCAL_ONLY.includes(rType)) return 'must be local';
  const role = symndxRole(entry);
  if (role === 'external' && rSymndx >= (file.externals?.count ?? 0)) {
    return `names external symbol ${rSymndx}, which is not there`;
  }
  if (role === 'section' && sectionNumberName(rSymndx) === null) {
    return `names section number ${rSymndx}, which has no meaning`;
  }
  if (role === 'lituse-subtype' && subtypeName(entry) === null) {
    return `has subtype ${rSymndx}, which has no meaning`;
  }
  if (rType === R.immed && subtypeName(entry) === null) {
    return `has subtype ${entry.rSize}, which has no meaning`;
  }
  if (LITA_ONLY.includes(rType) && rSymndx !== R_SN_LITA) return 'must be relative to .lita';
  const isTlsSection = rSymndx === R_SN_TLSDATA || rSymndx === R_SN_TLSBSS;
  if (TLS_HALVES.includes(rType) && !rExtern && !isTlsSection) {
    return 'must be relative to .tlsdata or .tlsbss';
  }
  if (TLS_HALVES.includes(rType) && rExtern) {
    const symbol = file.externals === null ? null : externalAt(file.externals, rSymndx);
    if (symbol !== null && !isTlsClass(symbol.sc)) {
      const found = storageClassName(symbol.sc) ?? `class ${symbol.sc}`;
      return `names a symbol of ${found}, which is not a TLS symbol`;
    }
  }
  if (rType !== R.opStore && entry.rOffset !== 0) {
    return `has r_offset ${entry.rOffset}, expected 0: only OP_STORE uses it`;
  }
  if (!SIZED.includes(rType) && entry.rSize !== 0) {
    return `has r_size ${entry.rSize}, expected 0: only OP_STORE and IMMED use it`;
  }
  return entry.rReserved === 0 ? null : 'has reserved bits that are not zero';
}

/** Types that are relative to gp (4.3.3.2). */
const GP_RELATIVE: readonly number[] = [
  ...[R.gprel32, R.literal, R.gpdisp, R.gprelhigh, R.gprellow, R.tlsLiteral],
];

/** Returns the indexes of the GPVALUE entries of a table. */
function gpValueEntries({ bits, count }: RelocationTable): readonly number[] {
  const found: number[] = [];
  for (let n = 0; n < count; n++) if (((bits[n] ?? 0) & 0xff) === R.gpvalue) found.push(n);
  return found;
}

/** Returns the address at which the gp range after that of entry `n` begins; null for the last. */
function rangeEnd(table: RelocationTable, n: number, starts: readonly number[]): bigint | null {
  const next = starts[upperBound(starts, n)];
  return next === undefined ? null : (table.rVaddr[next] ?? null);
}

/** Returns the rule of 4.3.2.2 that a gp-relative entry breaks: it is in another gp range. */
function brokenRange(
  { rType, rVaddr }: Relocation,
  starts: readonly bigint[],
  end: bigint | null,
): string | null {
  if (rType === R.gpvalue) {
    const before = starts.at(-2);
    return before === undefined || before <= rVaddr
      ? null
      : `begins a gp range at 0x${rVaddr.toString(16)}, before the range above it`;
  }
  const start = starts.at(-1) ?? null;
  if (!GP_RELATIVE.includes(rType)) return null;
  const isBefore = start !== null && rVaddr < start;
  const isAfter = end !== null && rVaddr >= end;
  if (!isBefore && !isAfter) return null;
  return `is listed in the gp range ${start === null ? 'before' : 'from'} 0x${(start ?? end ?? 0n).toString(16)}, but its address is in another`;
}

/** Returns the rule about section, instructions or high half that an entry breaks, or null. */
function brokenPair(
  file: EcoffFile,
  table: RelocationTable,
  n: number,
  entry: Relocation,
): string | null {
  const section = file.sections[table.section];
  if (section === undefined || entry.rType === R.abs) return null;
  if (NO_RAW_DATA.includes(section.name)) return `is in ${section.name}, which has no raw data`;
  switch (entry.rType) {
    case R.lituse: {
      const opcode = opcodeAt(file, section, entry.rVaddr);
      if (entry.rSymndx !== LITUSE.jsr || opcode === null || opcode === JUMP) return null;
      return `must name a jump; found opcode 0x${opcode.toString(16)}`;
    }
    case R.immed:
      return brokenImmed(file, section, entry);
    case R.opStore: {
      const number = sectionNumberOf(section.name);
      if (number === null || entry.rSymndx === number) return null;
      return `has r_symndx ${symndxValue(entry)}, expected ${number}: the section that contains the place`;
    }
    case R.gpdisp: {
      const opcodes = [entry.rVaddr, BigInt.asUintN(64, entry.rVaddr + BigInt(entry.rSymndx))].map(
        (vaddr) => (wordAt(file, section, vaddr) ?? 0) >>> 26,
      );
      if (opcodes.includes(LDA) && opcodes.includes(LDAH)) return null;
      const found = opcodes.map((opcode) => `0x${opcode.toString(16)}`).join(' and ');
      return `must name one ldah and one lda; found opcodes ${found}`;
    }
    case R.gprellow:
    case R.tlsLow:
      return brokenLow(file, section, table, n, entry);
    default:
      return null;
  }
}

function opcodeAt(file: EcoffFile, section: SectionHeader, vaddr: bigint): number | null {
  const word = wordAt(file, section, vaddr);
  return word === null ? null : word >>> 26;
}

/** Returns true for opcodes of the memory format: lda to stq_u, loads and stores from 0x20 on. */
function isMemoryFormat(opcode: number): boolean {
  return (opcode >= 0x08 && opcode <= 0x0f) || (opcode >= 0x20 && opcode <= 0x2f);
}

function brokenImmed(file: EcoffFile, section: SectionHeader, entry: Relocation): string | null {
  const opcode = opcodeAt(file, section, entry.rVaddr);
  if (opcode !== null && !isMemoryFormat(opcode)) {
    return `must name a memory-format instruction; found opcode 0x${opcode.toString(16)}`;
  }
  if (entry.rSize !== IMMED.brHi32) return null;
  return branchOf(file, section, entry) === null
    ? `has r_symndx ${entry.rSymndx | 0}, where no branch instruction is`
    : null;
}

function brokenLow(
  file: EcoffFile,
  section: SectionHeader,
  table: RelocationTable,
  n: number,
  entry: Relocation,
): string | null {
  const { groups, groupOf, highOf } = tableFacts(file, table);
  const high = highOf.get(n);
  const asHigh = AS_HIGH.get(entry.rType);
  if (high === undefined || asHigh === undefined) return null;
  if (entry.rExtern !== high.rExtern) {
    return `has r_extern ${Number(entry.rExtern)}, expected ${Number(high.rExtern)} ${asHigh}`;
  }
  if (entry.rSymndx !== high.rSymndx) {
    return `has r_symndx ${symndxValue(entry)}, expected ${symndxValue(high)} ${asHigh}`;
  }
  if (entry.rType !== R.gprellow) return null;
  const first = groups[groupOf[n] ?? -1]?.members[1] ?? n;
  const word = wordAt(file, section, entry.rVaddr);
  const firstWord = wordAt(file, section, relocationAt(table, first).rVaddr);
  if (word === null || firstWord === null || ((word ^ firstWord) & 0xffff) === 0) return null;
  const [found, expected] = [(word << 16) >> 16, (firstWord << 16) >> 16];
  return `has displacement ${found}, expected ${expected} as in the first GPRELLOW of its GPRELHIGH`;
}
