/** Dialogs that several parts of the page can open. */
import { create } from 'zustand';
import type { TermId } from '#glossary/term-names.ts';

export type HelpPart = 'keys' | 'queries' | 'glossary';

type Help = {
  readonly isOpen: boolean;
  readonly part: HelpPart;
  /** Term whose card the glossary shows; null for the list of all terms. */
  readonly term: TermId | null;
};

export const useHelp = create<Help>(() => ({ isOpen: false, part: 'keys', term: null }));

export function showHelp(part: HelpPart): void {
  useHelp.setState({ isOpen: true, part, term: null });
}

/** Opens the glossary at the card of `term`; for null, at the list of all terms. */
export function showGlossary(term: TermId | null = null): void {
  useHelp.setState({ isOpen: true, part: 'glossary', term });
}

export function closeHelp(): void {
  useHelp.setState({ isOpen: false });
}

export const useNotesDialog = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function showNotes(isOpen: boolean): void {
  useNotesDialog.setState({ isOpen });
}

export const useCopyLink = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function showCopyLink(isOpen: boolean): void {
  useCopyLink.setState({ isOpen });
}
