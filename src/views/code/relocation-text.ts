import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';

/** One line for a relocation: `R_BPF_64_32  sec1 + 0x18 → lfunc`. Raw text. */
export function relocationText(meaning: RelocationMeaning): string {
  const symbol = symbolLine(meaning) || (meaning.addend === null ? '' : '(no symbol)');
  return `${meaning.typeName}  ${symbol}`.trimEnd();
}
