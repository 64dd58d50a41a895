/** Drafts of lessons in the browser's storage; without storage, until the page closes. */

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

/** The stored drafts, and those of this page if the browser has no storage. */
export const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: keptDrafts.read() }));

/** Returns whether a key is that of a draft. */
export function isDraft(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** Returns the text of a draft, or null. */
export function draftText(key: string): string | null {
  return all().get(key) ?? null;
}

/** Returns the title in the front matter of a draft. */
export function draftTitle(text: string): string {
  return /^title:[ \t]*(.+?)[ \t]*$/m.exec(text)?.[1] ?? 'without a title';
}

/** Returns an unused key. */
export function newDraftKey(): string {
  for (let n = 1; ; n++) if (!all().has(PREFIX + n)) return PREFIX + n;
}

/** Stores a draft; the oldest of too many is removed. Returns false if the browser did not store the draft. */
export function keepDraft(key: string, text: string): boolean {
  const next = new Map(all());
  next.delete(key);
  next.set(key, text);
  const [oldest] = next.keys();
  if (next.size > MAX_DRAFTS && oldest !== undefined) next.delete(oldest);
  return write(next);
}

/** Removes a draft. */
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
