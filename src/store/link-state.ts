/** What links brought about: files that came out of one, what to say about an arrival, and whether the page is embedded. */
import { create } from 'zustand';
import { onClosed } from './files.ts';
import type { FileId } from './session.ts';

/** How a file came out of a link that carries it. */
export type LinkOrigin = {
  /** As it stands behind `file=`. */
  readonly key: string;
  /** The file that the link was made from. Raw text; may be empty. */
  readonly name: string;
  readonly carries:
    | { readonly kind: 'types'; readonly typeCount: number; readonly declaredCount: number }
    | { readonly kind: 'file' };
};

/** What somebody who followed a link should know about where it led. */
export type LinkNotice = {
  /** SHA-256 of the file that the link is about, where another was opened in its place. */
  readonly expected: string | null;
  /** Sentences without a full stop; raw text. */
  readonly sentences: readonly string[];
};

type LinkState = {
  /** Shown without its bars, inside another page. */
  readonly embed: boolean;
  readonly origins: ReadonlyMap<FileId, LinkOrigin>;
  readonly notices: ReadonlyMap<FileId, LinkNotice>;
};

export const useLinks = create<LinkState>(() => ({
  embed: false,
  origins: new Map(),
  notices: new Map(),
}));

/** How the file came out of a link; null for all others. */
export function originOf(id: FileId): LinkOrigin | null {
  return useLinks.getState().origins.get(id) ?? null;
}

export function setOrigin(id: FileId, origin: LinkOrigin): void {
  useLinks.setState(({ origins }) => ({ origins: new Map(origins).set(id, origin) }));
}

/** Says something about the arrival at a file, in place of what was said before; null says nothing. */
export function setNotice(id: FileId, notice: LinkNotice | null): void {
  useLinks.setState(({ notices }) => {
    const next = new Map(notices);
    next.delete(id);
    if (notice !== null) next.set(id, notice);
    return { notices: next };
  });
}

export function setEmbed(embed: boolean): void {
  if (useLinks.getState().embed !== embed) useLinks.setState({ embed });
}

onClosed((id) => {
  setNotice(id, null);
  useLinks.setState(({ origins }) => {
    const next = new Map(origins);
    next.delete(id);
    return { origins: next };
  });
});

/** Is the dialog shown that offers links? Its button and the palette both open it. */

export const useCopyLink = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function showCopyLink(isOpen: boolean): void {
  useCopyLink.setState({ isOpen });
}
