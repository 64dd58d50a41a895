/** Extensions of the page by removable modules, registered by `app/modules.ts` before the first render. */
import type { ComponentType, ReactNode } from 'react';
import { openFiles } from '#store/session/files.ts';
import type { LessonPlace } from './address.ts';
import { followAddress } from './follow-link.ts';

/** A command of the palette. */
export type PageCommand = {
  readonly id: string;
  /** Raw text. */
  readonly title: string;
  /** More words by which the palette finds it. */
  readonly also?: string;
  readonly keys?: readonly string[];
  readonly icon: ReactNode;
  readonly run: () => void;
};

export type PageExtension = {
  /** Returns the lesson in the address, or null. */
  readonly place: () => LessonPlace | null;
  /** Returns whether the page is going to a place; the address is not updated meanwhile. */
  readonly isBusy: () => boolean;
  /** Goes to an address, which may name a lesson. */
  readonly follow: (hash: string) => Promise<void>;
  /** Calls `listener` when `place` has changed. Returns a function that stops it. */
  readonly watch: (listener: () => void) => () => void;
  /** Steps by the keys [ and ]. Returns false without an open lesson: the keys then use the history. */
  readonly step: (by: 1 | -1) => boolean;
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  /** A hook. */
  readonly useCommands: () => readonly PageCommand[];
  /** Wraps the whole page. */
  readonly Page: ComponentType<{ readonly children: ReactNode }>;
  /** Wraps the view of the open file. */
  readonly Stage: ComponentType<{ readonly children: ReactNode }>;
  /** Drawn over the page. */
  readonly Overlay: ComponentType;
  readonly StartSection: ComponentType;
};

const NO_COMMANDS: readonly PageCommand[] = [];
const alone = ({ children }: { readonly children: ReactNode }) => children;
const nothing = () => null;

let extension: PageExtension = {
  place: nothing,
  isBusy: () => false,
  follow: (hash) => followAddress(hash),
  watch: () => () => undefined,
  step: () => false,
  openFiles: async (files) => {
    await openFiles(files);
  },
  useCommands: () => NO_COMMANDS,
  Page: alone,
  Stage: alone,
  Overlay: nothing,
  StartSection: nothing,
};

/** Registers parts of the extension. Call it before the first render. */
export function extendPage(parts: Partial<PageExtension>): void {
  extension = { ...extension, ...parts };
}

export function pageExtension(): PageExtension {
  return extension;
}
