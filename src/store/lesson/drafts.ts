/** Lessons that are being written, kept in the browser; where it keeps nothing, lost with the page. */

import { create } from 'zustand';
import { itemsOf, kept } from '#store/kept/kept.ts';

const PREFIX = 'draft:';
const MAX_DRAFTS = 20;

/** Texts by key, newest last. */
export type Drafts = ReadonlyMap<string, string>;

const keptDrafts = kept<Drafts>('btfscope-drafts', {
  parse: (json) => new Map(itemsOf(json).filter(isDraftEntry)),
  format: (drafts) => [...drafts],
});

function isDraftEntry(entry: unknown): entry is [key: string, text: string] {
  const [key, text] = itemsOf(entry);
  return typeof key === 'string' && typeof text === 'string';
}

/** What is kept, and what this page holds where nothing can be. */
export const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: keptDrafts.read() }));

/** Is it the key of a draft? */
export function isDraft(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** The text of a draft, or null. */
export function draftText(key: string): string | null {
  return all().get(key) ?? null;
}

/** What a draft calls itself, for a list. */
export function draftTitle(text: string): string {
  return /^title:[ \t]*(.+?)[ \t]*$/m.exec(text)?.[1] ?? 'without a title';
}

/** A key that no draft has. */
export function newDraftKey(): string {
  for (let n = 1; ; n++) if (!all().has(PREFIX + n)) return PREFIX + n;
}

/** Keeps a draft; the oldest goes when there are too many. False where it is kept by the page alone. */
export function keepDraft(key: string, text: string): boolean {
  const next = new Map(all());
  next.delete(key);
  next.set(key, text);
  const [oldest] = next.keys();
  if (next.size > MAX_DRAFTS && oldest !== undefined) next.delete(oldest);
  return write(next);
}

/** Forgets a draft. */
export function forgetDraft(key: string): void {
  const next = new Map(all());
  next.delete(key);
  write(next);
}

function all(): Drafts {
  return useDrafts.getState().drafts;
}

function write(drafts: Drafts): boolean {
  useDrafts.setState({ drafts });
  return keptDrafts.write(drafts);
}
