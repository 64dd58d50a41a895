import { canList } from '#analysis/code/code-listing.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { signedHex } from '#bytes/text.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { ViewName } from '#store/session/views.ts';
import type { RelocTone } from '#ui/tone.ts';

/** Returns the colour of a relocation entry by the section that it patches. */
export function relocTone(belongsTo: SectionRole): RelocTone {
  return TONES[belongsTo] ?? 'reloc-4';
}

const TONES: Readonly<Partial<Record<SectionRole, RelocTone>>> = {
  program: 'reloc-2',
  data: 'reloc-1',
};

/** Texts for the symbol, addend and target of a relocation entry: `sec`, `+ 0x8`, `l1`. */
type SymbolReading = {
  /** Name of the symbol, not escaped. */
  readonly symbol: string;
  /** Addend as `+ 0x8`; empty if the target is the symbol itself. */
  readonly plus: string;
  /** Name at the target, not escaped; empty if it is the symbol's name. */
  readonly target: string;
};

export function symbolReading(meaning: RelocationMeaning): SymbolReading {
  const { symbolText, addend, target } = meaning;
  const targetName = target === null || target.name === symbolText ? '' : target.name;
  const isAdded = addend !== null && (addend !== 0n || targetName !== '');
  const sign = addend !== null && addend < 0n ? '-' : '+';
  return {
    symbol: symbolText,
    plus: isAdded ? `${sign} ${signedHex(addend < 0n ? -addend : addend)}` : '',
    target: targetName,
  };
}

/** Returns symbol, addend and target in one line: `sec + 0x8 → l1`. Not escaped. */
export function symbolLine(meaning: RelocationMeaning): string {
  const { symbol, plus, target } = symbolReading(meaning);
  return [symbol, plus, target && `→ ${target}`].filter((part) => part !== '').join(' ');
}

export type Place = { readonly selection: Selection; readonly view: ViewName };

/** Returns the place of a target in Code or Bytes; null if another file defines the symbol. */
export function placeOfTarget(model: ObjectModel, target: RelocationTarget): Place | null {
  const { section } = target;
  if (section === null) return null;
  const offset = Number(target.offset);
  const span = sectionSpan(model, section);
  const isInside = span !== null && offset >= 0 && span.start + offset < span.end;
  if (!isInside) return { selection: { kind: 'section', section }, view: 'bytes' };
  if (canList(model) && isCode(model.sections, section)) {
    const insnOff = offset - (offset % insnSlot(model));
    return { selection: { kind: 'insn', section, insnOff }, view: 'code' };
  }
  const start = span.start + offset;
  return { selection: { kind: 'bytes', start, end: start + 1 }, view: 'bytes' };
}
