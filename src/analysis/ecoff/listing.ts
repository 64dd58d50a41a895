/**
 * The relocation listing of an eCOFF file, as the document prints it with its
 * examples (Tru64 UNIX Object File and Symbol Table Format Specification,
 * section 4.3.4).
 */

import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { relocationAt } from '#formats/ecoff/relocations.ts';
import { listingLine } from './listing-line.ts';

const HEADING = `                        ***RELOCATION INFORMATION***
          Vaddr         Symndx   Type  Off Size Extern  Name
`;

/** Lines of the listing, without line ends; made as they are asked for, since there may be very many. */
export function* ecoffListingLines(file: EcoffFile): Generator<string> {
  yield* HEADING.trimEnd().split('\n');
  for (const table of file.relocations) {
    yield '';
    yield `${file.sections[table.section]?.name ?? ''}:`;
    for (let n = 0; n < table.count; n++) {
      yield listingLine(file, relocationAt(table, n)).trimEnd();
    }
  }
}

/** The whole listing, each line ended. */
export function ecoffListing(file: EcoffFile): string {
  let text = '';
  for (const line of ecoffListingLines(file)) text += `${line}\n`;
  return text;
}
