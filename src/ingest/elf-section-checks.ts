/** What is odd about the sections of a file among themselves. Every sort of fault is told once. */
import type { Issue } from '#bytes/issue.ts';
import { spanOf } from '#bytes/span.ts';
import { SHT } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { knownSectionType, sectionTypeName } from '#formats/elf/section-types.ts';
import type { SectionTable } from '#model/sections.ts';
import { Faults, tally } from './elf-faults.ts';
import { pastEndIssue, sectionFieldSpan, sectionLabel } from './elf-places.ts';

const REGION = 'section headers';

/** Relocations in forms that are not decoded, with the constant that elf.h has for each. */
const UNDECODED: ReadonlyMap<number, string> = new Map([
  [SHT.relr, 'SHT_RELR'],
  [SHT.crel, 'SHT_CREL'],
  [SHT.androidRel, 'SHT_ANDROID_REL'],
  [SHT.androidRela, 'SHT_ANDROID_RELA'],
  [SHT.androidRelr, 'SHT_ANDROID_RELR'],
]);

/** Adds an issue for each sort of fault in the table; `fileSize` in bytes. */
export function checkSections(
  sections: SectionTable,
  header: ElfHeader,
  fileSize: number,
  issues: Issue[],
): void {
  const faults = new Faults();
  for (let i = 1; i < sections.count; i++) {
    checkName(sections, header, i, faults);
    checkPlace(sections, header, i, fileSize, faults);
    checkType(sections, header, i, faults);
  }
  checkOverlaps(sections, faults);
  faults.report(issues);
}

function checkName(sections: SectionTable, header: ElfHeader, index: number, faults: Faults): void {
  const nameOff = sections.nameOff[index] ?? 0;
  // Without any table of names that is the one fault to tell, and it was told.
  if (sections.names.length === 0 || nameOff < sections.names.length) return;
  faults.add('elf.section-name-outside', () => ({
    severity: 'warning',
    region: REGION,
    message: tally('section names outside their table', `section ${index}`),
    span: sectionFieldSpan(sections, header, index, 'sh_name'),
    expected: `below ${sections.names.length}`,
    found: `${nameOff}`,
  }));
}

function checkPlace(
  sections: SectionTable,
  header: ElfHeader,
  index: number,
  fileSize: number,
  faults: Faults,
): void {
  const type = sections.type[index];
  const offset = sections.declaredOffset[index] ?? 0n;
  const size = sections.declaredSize[index] ?? 0n;
  if (type === SHT.null || type === SHT.nobits || size === 0n) return;
  if (offset + size <= BigInt(fileSize)) return;
  faults.add('elf.section-past-end', () => {
    const first = pastEndIssue(sections, header, index, fileSize);
    const more = (count: number) => (count > 1 ? `, and so are ${count - 1} more sections` : '');
    return { ...first, message: (count) => first.message + more(count) };
  });
}

function checkType(sections: SectionTable, header: ElfHeader, index: number, faults: Faults): void {
  const type = sections.type[index] ?? 0;
  const constant = UNDECODED.get(type);
  if (constant !== undefined) {
    faults.add(`elf.undecoded-relocations.${constant}`, () => ({
      severity: 'warning',
      region: sectionLabel(sections, index),
      message: tally(
        `${constant} not understood, its relocations are not shown`,
        sectionLabel(sections, index),
      ),
      span: sectionFieldSpan(sections, header, index, 'sh_type'),
      expected: 'relocations as SHT_REL or SHT_RELA',
      found: constant,
    }));
  } else if (knownSectionType(type, header.eMachine) === null) {
    faults.add('elf.unknown-section-type', () => ({
      severity: 'note',
      region: sectionLabel(sections, index),
      message: tally('unknown section types', sectionLabel(sections, index)),
      span: sectionFieldSpan(sections, header, index, 'sh_type'),
      found: `0x${type.toString(16)} (${sectionTypeName(type, header.eMachine)})`,
    }));
  }
}

/** Sorted by place, a section that begins before an earlier one ends overlaps it. */
function checkOverlaps(sections: SectionTable, faults: Faults): void {
  const start = (index: number) => sections.fileOffset[index] ?? 0;
  const length = (index: number) => sections.byteLength[index] ?? 0;
  const order = Uint32Array.from({ length: sections.count }, (_, i) => i)
    .filter((i) => length(i) > 0)
    .sort((a, b) => start(a) - start(b) || a - b);
  let furthest: number | null = null;
  for (const index of order) {
    const end = furthest === null ? 0 : start(furthest) + length(furthest);
    const before = furthest;
    if (before !== null && start(index) < end) {
      const pair = `${sectionLabel(sections, before)} and ${sectionLabel(sections, index)}`;
      faults.add('elf.sections-overlap', () => ({
        severity: 'warning',
        region: REGION,
        message: tally('sections overlap', pair),
        span: spanOf(start(index), Math.min(end - start(index), length(index))),
        expected: `${sectionLabel(sections, index)} from offset ${end} on`,
        found: `offset ${start(index)}`,
      }));
    }
    if (before === null || start(index) + length(index) > end) furthest = index;
  }
}
