/** Dialogs that more than one part of the page opens. */
import { create } from 'zustand';
import type { TermId } from '#glossary/term-names.ts';

type Glossary = {
  readonly isOpen: boolean;
  /** The card to begin at; null for the whole list. */
  readonly term: TermId | null;
};

export const useGlossary = create<Glossary>(() => ({ isOpen: false, term: null }));

/** Opens the glossary, at a term where one is given. */
export function showGlossary(term: TermId | null = null): void {
  useGlossary.setState({ isOpen: true, term });
}

export function closeGlossary(): void {
  useGlossary.setState({ isOpen: false });
}

/** The dialog that offers links. */
export const useCopyLink = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function showCopyLink(isOpen: boolean): void {
  useCopyLink.setState({ isOpen });
}
