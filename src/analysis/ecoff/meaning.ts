/**
 * Meaning of an eCOFF relocation in the layout in which nothing moves: Tru64 UNIX Object File and
 * Symbol Table Format Specification, section 4.3.4. `detail.ts` covers other layouts.
 */
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { spanOf } from '#bytes/span.ts';
import { ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R, type Relocation, relocationTypeName } from '#formats/ecoff/relocations.ts';
import { type RelocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { compactMeaning } from './compact-meaning.ts';
import { entrySentence } from './entry-sentences.ts';
import { subtypeName, symbolText, symndxRole } from './entry-text.ts';
import { storedLayoutOf } from './layout.ts';
import { outcomeAt } from './relocate.ts';
import { formulaOf, numbersText } from './relocation-formulas.ts';
import { compactRow, type EntryRow, entryRow } from './rows.ts';
import { sitesOf } from './sites.ts';
import { entryTarget } from './targets.ts';

/** Returns the meaning of row `reloc`. Total: a row that does not exist has no site and no symbol. */
export function ecoffMeaning(model: ObjectModel, reloc: RelocIndex): RelocationMeaning {
  const file = ecoffFile(model);
  if (file === null) return NO_MEANING;
  const row = entryRow(model, file, reloc);
  if (row !== null) return entryMeaning(model, row, reloc);
  const compact = compactRow(model, file, reloc);
  return compact === null ? NO_MEANING : compactMeaning(model, compact, reloc);
}

/** Meaning of a row that does not exist. */
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
  // Sites whose bytes are in the file.
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
    symbolValue: symbol < 0 ? null : (model.symbols.value[symbolIndex(symbol)] ?? null),
    // Offset of the target in its section, as for section symbols in ELF.
    addend: symndxRole(entry) === 'section' ? (target?.offset ?? null) : null,
    site:
      first === undefined
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
    // A filter reads the names of 65,000 entries, but no results and texts.
    get result() {
      return outcome()?.results?.meant ?? null;
    },
    get words() {
      return entrySentence(file, entry, target);
    },
    get numbers() {
      const known = outcome();
      return known === null ? '' : numbersText(formula, known, 'document');
    },
  };
}

/** Returns the name of the type; for an immediate the document's name of its kind. */
function typeNameOf(entry: Relocation): string {
  const name = relocationTypeName(entry.rType);
  if (name === null) return `type ${entry.rType}`;
  return (entry.rType === R.immed ? subtypeName(entry) : null) ?? `R_${name}`;
}
