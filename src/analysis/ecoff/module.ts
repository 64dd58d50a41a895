/** Registers Alpha eCOFF as a format. */
import type { FormatModule } from '#analysis/objects/format-module.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { VADJUST } from '#formats/ecoff/compact.ts';
import { type EcoffFile, ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R } from '#formats/ecoff/relocations.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { COMPACT_TYPE } from '#model/relocations.ts';
import { ecoffDetail } from './detail.ts';
import { exampleLayout, layoutFields, storedLayoutOf } from './layout.ts';
import { ecoffFindings } from './lint.ts';
import { ecoffCells, ecoffListingLines, LIST_COLUMNS } from './listing.ts';
import { ecoffMeaning } from './meaning.ts';
import { relocatedWindow } from './patch.ts';
import { ecoffReport } from './report.ts';
import { reportJson } from './report-value.ts';
import { partnerPlaces } from './rows.ts';
import { sectionType, symbolPlaceText } from './section-text.ts';
import { commentParts, ecoffTables, TRU64_HEADERS, tableField } from './table-fields.ts';

function fileOf(model: ObjectModel): EcoffFile {
  const file = ecoffFile(model);
  if (file === null) throw new Error(`${model.name} is not an eCOFF object`);
  return file;
}

/** Types of entries whose `r_vaddr` or `v_offset` is not an address. */
const OPERANDS: readonly number[] = [R.opPush, R.opPsub, R.opPrshift, COMPACT_TYPE + VADJUST];

/** Returns text about how the linker uses the entries of a table. */
function about(role: SectionRole): string {
  switch (role) {
    case 'program':
      return 'Instructions: loads of literals, gp, branches. The linker applies them, and may relax code using them.';
    case 'data':
      return 'Data that holds addresses, distances from gp, or the results of expressions. The linker applies them.';
    default:
      return 'Compact relocations of a linked file: the entries that a prediction from its code gets wrong. They are no longer applied.';
  }
}

export const ECOFF: FormatModule = {
  format: 'ecoff',
  fileTables: (model) => ecoffTables(fileOf(model)),
  tableField,
  sectionSource: TRU64_HEADERS,
  sectionParts: (structure, span) => commentParts(structure, fileOf(structure.model), span),
  sectionType,
  symbolText: symbolPlaceText,
  lint: (model) => ecoffFindings(fileOf(model)),
  relocations: {
    meaning: ecoffMeaning,
    detail: (model, reloc, layout) => ecoffDetail(model, fileOf(model), reloc, layout),
    isOperand: (rType) => OPERANDS.includes(rType),
    isFiller: (rType) => rType === R.abs,
    furtherPlaces: (model) => partnerPlaces(model, fileOf(model)),
    relocatedWindow: (model, ...rest) => relocatedWindow(model, fileOf(model), ...rest),
    columns: LIST_COLUMNS,
    cells: (model, reloc, layout) => ecoffCells(model, fileOf(model), reloc, layout),
    otherWord: 'compact',
    about,
    storedLayout: (model) => storedLayoutOf(fileOf(model)),
    layoutFields,
    exampleLayout,
  },
  report: (model) => reportJson(ecoffReport(fileOf(model))),
  listing: (model) => ecoffListingLines(fileOf(model)),
};
