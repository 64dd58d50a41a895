/**
 * The one selection that all views show and set. Rows of the open model; what
 * lasts (links, history) is written by stable keys, see `store/address/location`.
 */
import type { CoreIndex, RelocIndex, SectionIndex, SymbolIndex, TypeId } from './ids.ts';

export type Selection =
  | { readonly kind: 'none' }
  /** A type, or with `memberPath` the member reached by these member numbers from it. */
  | { readonly kind: 'type'; readonly type: TypeId; readonly memberPath: readonly number[] }
  /** Bytes of the file, `start` to `end` (exclusive). */
  | { readonly kind: 'bytes'; readonly start: number; readonly end: number }
  | { readonly kind: 'section'; readonly section: SectionIndex }
  | { readonly kind: 'symbol'; readonly symbol: SymbolIndex }
  | { readonly kind: 'relocation'; readonly reloc: RelocIndex }
  /** A CO-RE record, and which index of its access string is looked at (null = all). */
  | { readonly kind: 'core'; readonly core: CoreIndex; readonly step: number | null }
  /** The instruction at `insnOff` bytes from the start of `section`. */
  | { readonly kind: 'insn'; readonly section: SectionIndex; readonly insnOff: number };

export const NOTHING: Selection = { kind: 'none' };

/** A type as a whole. */
export function typeSelection(type: TypeId, memberPath: readonly number[] = []): Selection {
  return { kind: 'type', type, memberPath };
}

/** Do the two mean the same thing? */
export function sameSelection(a: Selection, b: Selection): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
