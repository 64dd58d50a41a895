/** How many rows of a section that holds a table are read, and what is odd about its size. */
import type { ElfHeader } from '#formats/elf/header.ts';
import type { SectionTable } from '#model/sections.ts';
import { type Faults, tally } from './elf-faults.ts';
import type { Allowance } from './elf-pieces.ts';
import { sectionFieldSpan, sectionLabel } from './elf-places.ts';

export type TableSection = {
  readonly sections: SectionTable;
  readonly header: ElfHeader;
  /** Section index of the table. */
  readonly index: number;
  /** Bytes of one row by the file's class, whatever `sh_entsize` says. */
  readonly rowSize: number;
  readonly allowance: Allowance;
  readonly faults: Faults;
};

/** Rows that lie in the file and are allowed for; what is left out goes to `faults`. */
export function checkTable({
  sections,
  header,
  index,
  rowSize,
  allowance,
  faults,
}: TableSection): number {
  const label = sectionLabel(sections, index);
  const length = sections.byteLength[index] ?? 0;
  const entsize = sections.entsize[index] ?? 0n;
  if (entsize !== BigInt(rowSize)) {
    faults.add('elf.entry-size', () => ({
      severity: 'warning',
      region: label,
      message: tally(`entry size ${entsize} instead of ${rowSize}, which is used`, label),
      span: sectionFieldSpan(sections, header, index, 'sh_entsize'),
      expected: `${rowSize}`,
      found: `${entsize}`,
    }));
  }
  if (length % rowSize !== 0) {
    faults.add('elf.partial-entry', () => ({
      severity: 'warning',
      region: label,
      message: tally('tables that end inside an entry', label),
      span: sectionFieldSpan(sections, header, index, 'sh_size'),
      expected: `a multiple of ${rowSize} bytes`,
      found: `${length} bytes`,
    }));
  }
  const rows = Math.floor(length / rowSize);
  const granted = allowance.take(rows, rowSize);
  if (granted < rows) {
    faults.add('elf.too-many-rows', () => ({
      severity: 'error',
      region: label,
      message: (count) =>
        `${label}: only ${granted} of ${rows} entries are read` +
        (count > 1 ? `, and too few of ${count - 1} more tables` : ''),
      span: sectionFieldSpan(sections, header, index, 'sh_size'),
      expected: 'tables that do not overlap and that a browser tab can hold',
      found: `${rows} entries of ${rowSize} bytes`,
    }));
  }
  return granted;
}
