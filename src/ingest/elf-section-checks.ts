/** What is odd about the sections of a file among themselves. Every sort of fault is told once. */
import type { Issue } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { SHT } from '#formats/elf/constants.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { knownSectionType } from '#formats/elf/section-types.ts';
import { sectionHeaderSpan, type SectionHeaderFieldName } from '#formats/elf/section-headers.ts';
import { sectionIndex } from '#model/ids.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import { Faults, tally } from './elf-faults.ts';
