/** How relocation entries look and read, wherever a view shows one. */
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { signedHex } from '#bytes/text.ts';
import type { RelocTone } from '#ui/tone.ts';

/** The tone of an entry by what it patches. CO-RE records are no such entries and have `reloc-3`. */
export function relocTone(belongsTo: SectionRole): RelocTone {
  return TONES[belongsTo] ?? 'reloc-4';
}

const TONES: Readonly<Partial<Record<SectionRole, RelocTone>>> = {
  program: 'reloc-2',
  data: 'reloc-1',
};

/** What a section symbol stands for, when that is more than its name says: `sec + 0x8` and `l1`. */
export type SymbolReading = {
  /** Raw text. */
  readonly symbol: string;
  /** `+ 0x8`; empty where nothing is added to a symbol of its own name. */
  readonly plus: string;
  /** What lies there; empty where it is the symbol itself. Raw text. */
  readonly target: string;
};

/** How the symbol of an entry reads. The parts are raw text: escape them when drawn. */
export function symbolReading(meaning: RelocationMeaning): SymbolReading {
  const { symbolText, addend, target } = meaning;
  const found = target === null || target.name === symbolText ? '' : target.name;
  const isAdded = addend !== null && (addend !== 0n || found !== '');
  const sign = addend !== null && addend < 0n ? '-' : '+';
  return {
    symbol: symbolText,
    plus: isAdded ? `${sign} ${signedHex(addend < 0n ? -addend : addend)}` : '',
    target: found,
  };
}

/** The reading in one line: `sec + 0x8 → l1`. Raw text. */
export function symbolLine(meaning: RelocationMeaning): string {
  const { symbol, plus, target } = symbolReading(meaning);
  return [symbol, plus, target && `→ ${target}`].filter((part) => part !== '').join(' ');
}
