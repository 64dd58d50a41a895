import type { RelocationMeaning } from '#analysis/relocation-meaning.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';

/** One line for an ELF relocation: `R_BPF_64_32  sec1 + 0x18 → lfunc`. Raw text. */
export function relocationText(meaning: RelocationMeaning): string {
  return `${meaning.typeName}  ${symbolLine(meaning) || '(no symbol)'}`;
}
