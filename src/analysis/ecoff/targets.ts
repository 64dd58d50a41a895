/** Finds the target of an entry without a layout: Tru64 UNIX Object File Specification, 4.3.4. */
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { symbolAt } from '#analysis/objects/symbol-places.ts';
import { hexText } from '#bytes/text.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt } from '#formats/ecoff/external-symbols.ts';
import { IMMED, R, type Relocation } from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { symndxRole } from './entry-text.ts';
import { tableFacts } from './groups.ts';
import { headerGp } from './layout.ts';
import type { EntryRow } from './rows.ts';
import { branchOf, sitesOf } from './sites.ts';

/** Returns the target of an entry; null if the entry has no target or an unknown target. */
export function entryTarget(model: ObjectModel, row: EntryRow): RelocationTarget | null {
  const role = symndxRole(row.entry);
  if (role === 'external') return externalTarget(model, row);
  if (role !== 'section') return null;
  const address = addressOf(row);
  return address === null ? null : placeTarget(model, address);
}

function externalTarget(model: ObjectModel, { file, entry }: EntryRow): RelocationTarget | null {
  const { symbols } = model;
  const symbol = file.externals === null ? null : externalAt(file.externals, entry.rSymndx);
  if (symbol === null || symbol.name === '') return null;
  const section = symbols.section[entry.rSymndx] ?? 0;
  if (section <= 0) return { name: symbol.name, what: 'extern', section: null, offset: 0n };
  const index = sectionIndex(section);
  const offset = symbol.value - (model.sections.addr[section] ?? 0n);
  return { name: symbol.name, what: whatIn(model, index), section: index, offset };
}

/** Returns the target address of a local entry; null for types that have no target. */
function addressOf({ file, table, section, n, entry }: EntryRow): bigint | null {
  if (entry.rType === R.opPush || entry.rType === R.opPsub || entry.rType === R.opPrshift) {
    return entry.rVaddr;
  }
  const { gpDelta, highOf } = tableFacts(file, table);
  const [site] = sitesOf(file, section, entry);
  if (site === undefined || site.found === null) return null;
  const field = BigInt.asIntN(site.bitLength, site.found.fieldValue);
  const gp = headerGp(file) + BigInt(gpDelta[n] ?? 0);
  switch (entry.rType) {
    case R.reflong:
    case R.refquad:
      return site.found.fieldValue;
    case R.gprel32:
    case R.literal:
    case R.tlsLiteral:
      return gp + field;
    case R.braddr:
    case R.hint:
      return entry.rVaddr + 4n + field * 4n;
    case R.srel16:
    case R.srel32:
    case R.srel64:
      return entry.rVaddr + field;
    case R.gprellow:
    case R.tlsLow: {
      const high = highHalf(file, section, highOf.get(n));
      if (high === null) return null;
      return (entry.rType === R.gprellow ? gp : 0n) + high + field;
    }
    case R.immed:
      return immedSum(file, section, entry, highOf.get(n), gp)?.value ?? null;
    default:
      return null;
  }
}

/** An address that instructions compute, and how. */
type ImmedAddress = { readonly value: bigint; readonly words: string };

/**
 * Returns the address that the instructions of an IMMED entry compute in the input file; of a high
 * half the base plus this half. Null for other types, and where bytes or the base are missing.
 */
export function immedAddress({ file, table, section, n, entry }: EntryRow): ImmedAddress | null {
  if (entry.rType !== R.immed) return null;
  const { gpDelta, highOf } = tableFacts(file, table);
  const gp = headerGp(file) + BigInt(gpDelta[n] ?? 0);
  return immedSum(file, section, entry, highOf.get(n), gp);
}

function immedSum(
  file: EcoffFile,
  section: SectionHeader,
  entry: Relocation,
  high: Relocation | undefined,
  gp: bigint,
): ImmedAddress | null {
  const found = sitesOf(file, section, entry)[0]?.found;
  if (!found) return null;
  const field = BigInt.asIntN(16, found.fieldValue);
  const sum = (base: bigint, ofBase: string, displacement: bigint) => ({
    value: BigInt.asUintN(64, base + displacement),
    words: `${ofBase} ${hexText(base)} ${displacement < 0n ? '-' : '+'} ${hexText(displacement < 0n ? -displacement : displacement)}`,
  });
  if (entry.rSize === IMMED.gp16) return sum(gp, 'gp', field);
  const isHigh = BASE_WORDS.has(entry.rSize);
  const first = isHigh ? entry : high;
  const upper = highHalf(file, section, first);
  const base = first === undefined ? null : immedBase(file, section, first, gp);
  if (first === undefined || upper === null || base === null) return null;
  return sum(base, BASE_WORDS.get(first.rSize) ?? '', isHigh ? upper : upper + field);
}

/** By subtype of the high half: the base to which the halves are added. */
const BASE_WORDS: ReadonlyMap<number, string> = new Map([
  [IMMED.gpHi32, 'gp'],
  [IMMED.scnHi32, 'start of the section'],
  [IMMED.brHi32, 'instruction after the branch'],
]);

/** Returns 65536 times the signed field of `high`; null if `high` or its bytes are missing. */
function highHalf(
  file: EcoffFile,
  section: SectionHeader,
  high: Relocation | undefined,
): bigint | null {
  const found = high && sitesOf(file, section, high)[0]?.found;
  return found ? BigInt.asIntN(16, found.fieldValue) * 65536n : null;
}

/** Returns the address to which an immediate is added: gp, section, or instruction after branch. */
function immedBase(
  file: EcoffFile,
  section: SectionHeader,
  high: Relocation,
  gp: bigint,
): bigint | null {
  switch (high.rSize) {
    case IMMED.gpHi32:
      return gp;
    case IMMED.scnHi32:
      return section.sVaddr;
    default: {
      const branch = branchOf(file, section, high);
      return branch === null ? null : branch + 4n;
    }
  }
}

function placeTarget(model: ObjectModel, address: bigint): RelocationTarget | null {
  const { sections } = model;
  for (let i = 1; i < sections.count; i++) {
    const offset = address - (sections.addr[i] ?? 0n);
    if (offset < 0n || offset >= (sections.declaredSize[i] ?? 0n) || !isLoaded(model, i)) continue;
    const section = sectionIndex(i);
    const symbol = symbolAt(model, section, Number(offset));
    const name = symbol === null ? '' : symbolName(model.symbols, symbolIndex(symbol));
    return {
      name: name === '' ? sectionName(sections, section) : name,
      what: name === '' ? 'section' : whatIn(model, section),
      section,
      offset,
    };
  }
  return null;
}

/** Returns true if the section is loaded. Sections like `.comment` have no meaningful address. */
function isLoaded({ sections }: ObjectModel, i: number): boolean {
  return ((sections.flags[i] ?? 0n) & 2n) !== 0n;
}

function whatIn({ sections }: ObjectModel, section: SectionIndex): RelocationTarget['what'] {
  return isCode(sections, section) ? 'function' : 'variable';
}
