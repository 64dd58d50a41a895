/** Meaning of an entry without a layout: Tru64 UNIX Object File Specification, 4.3.4. */
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { spanOf } from '#bytes/span.ts';
import { counted, hexText } from '#bytes/text.ts';
import { type EcoffFile, ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt, isCommonClass } from '#formats/ecoff/external-symbols.ts';
import {
  IMMED,
  LITUSE,
  R,
  R_SN_ABS,
  type Relocation,
  relocationTypeName,
} from '#formats/ecoff/relocations.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { compactMeaning } from './compact-meaning.ts';
import { subtypeName, symbolText, symndxRole } from './entry-text.ts';
import { tableFacts } from './groups.ts';
import { storedLayoutOf } from './layout.ts';
import { outcomeAt } from './relocate.ts';
import { formulaOf, numbersText } from './relocation-formulas.ts';
import { compactRow, type EntryRow, entryRow } from './rows.ts';
import { sitesOf } from './sites.ts';
import { entryTarget, immedAddress } from './targets.ts';

/** Returns the meaning of row `reloc`. A row that does not exist has neither site nor symbol. */
export function ecoffMeaning(model: ObjectModel, reloc: RelocIndex): RelocationMeaning {
  const file = ecoffFile(model);
  if (file === null) return NO_MEANING;
  const row = entryRow(model, file, reloc);
  if (row !== null) return entryMeaning(model, row, reloc);
  const compact = compactRow(model, file, reloc);
  return compact === null ? NO_MEANING : compactMeaning(model, compact, reloc);
}

/** Meaning of rows that do not exist. */
const NO_MEANING: RelocationMeaning = {
  typeName: 'no such entry',
  known: false,
  formula: '',
  symbolText: '',
  symbolValue: null,
  addend: null,
  result: null,
  site: null,
  siteSpan: null,
  marks: [],
  target: null,
  belongsTo: 'other',
  words: '',
  numbers: '',
};

function entryMeaning(model: ObjectModel, row: EntryRow, reloc: RelocIndex): RelocationMeaning {
  const { file, table, section, n, entry } = row;
  const layout = storedLayoutOf(file);
  const outcome = () => outcomeAt(file, table, layout, n);
  const name = relocationTypeName(entry.rType);
  const sites = sitesOf(file, section, entry);
  const [first] = sites;
  const formula = formulaOf(entry).document ?? '';
  const symbol = model.relocations.symbol[reloc] ?? -1;
  const target = entryTarget(model, row);
  // Only sites whose bytes are in the file are marked.
  const marks = sites.flatMap(({ found, byteCount, bitStart, bitLength, role }) =>
    found === null
      ? []
      : [{ span: spanOf(found.fileOffset, byteCount), bitStart, bitLength, role }],
  );
  const inSection = sectionIndex(section.index + 1);
  return {
    typeName: typeNameOf(entry),
    known: name !== null,
    formula,
    symbolText: symbolText(file, entry),
    symbolValue: symbol < 0 ? null : addressOfSymbol(file, entry),
    // Offset of the target in its section, as the addend of section symbols in ELF.
    addend: symndxRole(entry) === 'section' ? (target?.offset ?? null) : null,
    site:
      first === undefined || !Number.isSafeInteger(Number(first.sectionOffset))
        ? null
        : {
            section: inSection,
            byteOffset: Number(first.sectionOffset),
            bitSize: first.bitLength,
          },
    siteSpan: marks[0]?.span ?? null,
    marks,
    target,
    belongsTo: sectionRole(model, inSection),
    // Getters compute results and texts on access: a filter reads only the names of 65,000 entries.
    get result() {
      return outcome()?.results?.meant ?? null;
    },
    get words() {
      return `${entrySentence(row, target)}${commonText(file, entry)}`;
    },
    get numbers() {
      const known = outcome();
      return known === null ? '' : numbersText(formula, known, 'document');
    },
  };
}

/** Returns the name of an entry's type; for an immediate the name of its subtype. */
function typeNameOf(entry: Relocation): string {
  const name = relocationTypeName(entry.rType);
  if (name === null) return `type ${entry.rType}`;
  return (entry.rType === R.immed ? subtypeName(entry) : null) ?? `R_${name}`;
}

/** Returns sentences about an entry. `target` is null if the target is unknown. */
function entrySentence(row: EntryRow, target: RelocationTarget | null): string {
  const { file, entry } = row;
  const name = symbolText(file, entry);
  const to = leadsTo(entry, name, target);
  const added = entry.rExtern ? `the address of ${name}` : `how far ${name} moves`;
  const texts: Readonly<Record<number, string>> = {
    [R.abs]: absText(row),
    [R.reflong]: `Adds ${added} to 32 bits of data, which then hold an address${to}.`,
    [R.refquad]: `Adds ${added} to 64 bits of data, which then hold an address${to}.`,
    [R.gprel32]: `Makes 32 bits of data hold a distance from gp${to}.`,
    [R.literal]: `Loads an address from the literal pool: 16 bits hold the distance of its slot from gp${to}.`,
    [R.lituse]: LITUSE_TEXT[entry.rSymndx] ?? UNNAMED_LITUSE,
    [R.gpdisp]:
      'Sets gp: an ldah and an lda add up to the distance from the code to gp. One entry names both instructions.',
    [R.braddr]: `Sets 21 bits to the distance from the instruction after the branch to its target${to}, in instructions.`,
    [R.hint]: `Predicts the target of a jump, in 14 bits that count instructions${to}. A wrong hint costs time only.`,
    [R.srel16]: `Makes 16 bits of data hold the distance from themselves to their target${to}.`,
    [R.srel32]: `Makes 32 bits of data hold the distance from themselves to their target${to}.`,
    [R.srel64]: `Makes 64 bits of data hold the distance from themselves to their target${to}.`,
    [R.gpvalue]: 'Patches nothing: from its address on, another gp is in effect.',
    [R.gprelhigh]: `The high half of a distance of 32 bits from gp. The low halves after it complete it.`,
    [R.gprellow]: `The low half of a distance of 32 bits from gp${to}.`,
    [R.immed]: `${IMMED_TEXT[entry.rSize] ?? UNNAMED_IMMED}${to}.${addressText(row)} The document gives no formula.`,
    [R.tlsLiteral]:
      'Loads the key of thread-local storage from the literal pool: 16 bits hold the distance of its slot from gp.',
    [R.tlsHigh]:
      'The high half of an offset of 32 bits in thread-local storage. The low halves after it complete it.',
    [R.tlsLow]: `The low half of an offset of 32 bits in thread-local storage${to}.`,
  };
  return texts[entry.rType] ?? stackSentence(entry, name);
}

/** Returns what an R_ABS entry is for: the count of the table, a mark, or nothing. */
function absText({ file, table, section, n, entry }: EntryRow): string {
  if (n === 0 && table.overflow) {
    return `Patches nothing: r_vaddr holds the number of entries of ${section.name}, ${entry.rVaddr} with this one, since s_nreloc has no room for it.`;
  }
  const { groups, groupOf } = tableFacts(file, table);
  const isMark = groups[groupOf[n] ?? -1]?.kind === 'gpdisp';
  return isMark
    ? 'Patches nothing: it marks the second instruction of the GPDISP entry before it, as old tools did.'
    : 'Patches nothing: a deleted entry, or padding.';
}

function addressText(row: EntryRow): string {
  const address = immedAddress(row);
  if (address === null) return '';
  return ` ${row.entry.rSize === IMMED.gp16 || row.entry.rSize === IMMED.lo32 ? 'The address is' : 'So far the address is'} ${hexText(address.value)}: ${address.words}.`;
}

/** Returns the address of an external symbol; null for a common one, whose value is its size. */
function addressOfSymbol({ externals }: EcoffFile, { rSymndx }: Relocation): bigint | null {
  const symbol = externals === null ? null : externalAt(externals, rSymndx);
  return symbol === null || isCommonClass(symbol.sc) ? null : symbol.value;
}

function commonText({ externals }: EcoffFile, entry: Relocation): string {
  const isSymbol = entry.rExtern && symndxRole(entry) === 'external';
  const symbol = isSymbol && externals !== null ? externalAt(externals, entry.rSymndx) : null;
  if (symbol === null || !isCommonClass(symbol.sc)) return '';
  return ` ${symbol.name} is a common symbol of ${counted(symbol.value, 'byte')}: the linker gives it an address.`;
}

function leadsTo(entry: Relocation, name: string, target: RelocationTarget | null): string {
  const role = symndxRole(entry);
  if (role !== 'external' && role !== 'section') return '';
  if (target === null) return `: ${name}`;
  const plus = target.what === 'section' ? `+0x${target.offset.toString(16)}` : '';
  return `: ${target.name}${plus}`;
}

const LITUSE_TEXT: Readonly<Record<number, string>> = {
  [LITUSE.base]:
    'Uses the address that the literal before it loaded, as the base of a load or store. Nothing is patched: the linker may relax the access.',
  [LITUSE.jsr]:
    'Jumps to the address that the literal before it loaded. Nothing is patched: the linker may use a branch instead.',
  [LITUSE.bytoff]:
    'Uses the low bits of the address that the literal before it loaded. The document says that it should not be used.',
};
const UNNAMED_LITUSE = 'Uses the address that the literal before it loaded, in an unnamed way.';

const IMMED_TEXT: Readonly<Record<number, string>> = {
  [IMMED.gp16]: 'An instruction that adds 16 bits to gp, which gives an address',
  [IMMED.gpHi32]:
    'The high half of a distance of 32 bits from gp, in a sequence that computes an address',
  [IMMED.scnHi32]: 'The high half of a distance of 32 bits from the start of the section',
  [IMMED.brHi32]: 'The high half of a 32-bit distance from the instruction after a branch',
  [IMMED.lo32]:
    'The low half that completes the last high half before it, with the symbol or section to which the address is relative',
};
const UNNAMED_IMMED =
  'A part of a sequence of instructions that computes an address, of an unnamed kind';

function stackSentence(entry: Relocation, name: string): string {
  const isConstant = !entry.rExtern && entry.rSymndx === R_SN_ABS;
  const operand = isConstant
    ? `the constant ${entry.rVaddr}`
    : entry.rExtern
      ? `the address of ${name}`
      : `the address 0x${entry.rVaddr.toString(16)}, which moves with ${name},`;
  const texts: Readonly<Record<number, string>> = {
    [R.opPush]: `Pushes ${operand} onto the expression stack.`,
    [R.opPsub]: `Subtracts ${operand} from the value on top of the stack.`,
    [R.opPrshift]: `Shifts the value on top of the stack to the right by ${operand}.`,
    [R.opStore]: `Pops the value and stores ${storedBits(entry)}. That ends the expression.`,
  };
  return texts[entry.rType] ?? `A type that is not in the document.`;
}

function storedBits({ rOffset, rSize }: Relocation): string {
  if (rSize === 0) return 'all 64 bits of it';
  return rOffset === 0 ? `its low ${rSize} bits` : `its low ${rSize} bits, from bit ${rOffset} on`;
}
