/**
 * The relocation listing of an eCOFF file, as printed with the examples in the Tru64 UNIX Object
 * File and Symbol Table Format Specification, section 4.3.4.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import {
  R,
  type Relocation,
  relocationAt,
  relocationTypeName,
} from '#formats/ecoff/relocations.ts';
import { symbolText } from './entry-text.ts';

const HEADING = `                        ***RELOCATION INFORMATION***
          Vaddr         Symndx   Type  Off Size Extern  Name
`;

/** Yields the lines of the listing, without line ends. */
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

/** A line of the listing: columns Vaddr, Symndx, Type, Off, Size, Extern, Name. */

/** Shorter type names that the listing uses. */
const SHORT_NAMES = new Map<number, string>([
  [R.opPush, 'PUSH'],
  [R.opStore, 'STORE'],
  [R.opPsub, 'PSUB'],
  [R.opPrshift, 'PRSHIFT'],
  [R.gprelhigh, 'GPHIGH'],
  [R.gprellow, 'GPLOW'],
  [R.tlsLiteral, 'TLSLITE'],
  [R.tlsHigh, 'TLSHIGH'],
  [R.tlsLow, 'TLSLOW'],
]);

/** Returns the line of `entry`; a missing name is replaced by blanks. Only STORE has Off and Size. */
export function listingLine(file: EcoffFile, entry: Relocation): string {
  const vaddr = `0x${entry.rVaddr.toString(16).padStart(16, '0')}`;
  const symndx = entry.rSymndx.toString().padStart(7);
  const type = (
    SHORT_NAMES.get(entry.rType) ??
    relocationTypeName(entry.rType) ??
    `${entry.rType}`
  ).padStart(7);
  const isStore = entry.rType === R.opStore;
  const offset = (isStore ? entry.rOffset.toString() : '').padStart(3);
  const size = (isStore ? entry.rSize.toString() : '').padStart(4);
  const where = (entry.rExtern ? 'extern' : 'local').padEnd(8);
  return `    ${vaddr} ${symndx} ${type} ${offset} ${size} ${where}${symbolText(file, entry)}`;
}
