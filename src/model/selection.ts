/** Selections that all views share: rows of the open model. `selection-keys.ts` encodes them. */
import type { CoreIndex, RelocIndex, SectionIndex, SymbolIndex, TypeId } from './ids.ts';

export type Selection =
  | { readonly kind: 'none' }
  /** A type, or a member of the type: `memberPath` has the member number at each level. */
  | { readonly kind: 'type'; readonly type: TypeId; readonly memberPath: readonly number[] }
  /** Bytes `start` to `end` (exclusive) of the file. */
  | { readonly kind: 'bytes'; readonly start: number; readonly end: number }
  | { readonly kind: 'section'; readonly section: SectionIndex }
  | { readonly kind: 'symbol'; readonly symbol: SymbolIndex }
  | { readonly kind: 'relocation'; readonly reloc: RelocIndex }
  /** A CO-RE record, and the selected number in its access string; null for the whole string. */
  | { readonly kind: 'core'; readonly core: CoreIndex; readonly step: number | null }
  /** Instruction at byte `insnOff` of `section`. */
  | { readonly kind: 'insn'; readonly section: SectionIndex; readonly insnOff: number };

export const NO_SELECTION: Selection = { kind: 'none' };

/** Returns the selection of a type, or of a member of the type. */
export function typeSelection(type: TypeId, memberPath: readonly number[] = []): Selection {
  return { kind: 'type', type, memberPath };
}

/** Returns true if both selections are equal. */
export function sameSelection(a: Selection, b: Selection): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
