/** The selection of all views: rows of the open model. Links have keys (`selection-keys.ts`). */
import type { CoreIndex, RelocIndex, SectionIndex, SymbolIndex, TypeId } from './ids.ts';

export type Selection =
  | { readonly kind: 'none' }
  /** A type, or the member of it that `memberPath` leads to by member numbers. */
  | { readonly kind: 'type'; readonly type: TypeId; readonly memberPath: readonly number[] }
  /** Bytes of the file, `start` to `end` (exclusive). */
  | { readonly kind: 'bytes'; readonly start: number; readonly end: number }
  | { readonly kind: 'section'; readonly section: SectionIndex }
  | { readonly kind: 'symbol'; readonly symbol: SymbolIndex }
  | { readonly kind: 'relocation'; readonly reloc: RelocIndex }
  /** A CO-RE record, and the selected index of its access string (null = all). */
  | { readonly kind: 'core'; readonly core: CoreIndex; readonly step: number | null }
  /** The instruction at `insnOff` bytes from the start of `section`. */
  | { readonly kind: 'insn'; readonly section: SectionIndex; readonly insnOff: number };

export const NO_SELECTION: Selection = { kind: 'none' };

/** Returns the selection of a type, or of a member of it. */
export function typeSelection(type: TypeId, memberPath: readonly number[] = []): Selection {
  return { kind: 'type', type, memberPath };
}

/** True if both selections are equal. */
export function sameSelection(a: Selection, b: Selection): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
