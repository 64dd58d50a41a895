/**
 * What a module that can be taken out, such as teaching, adds to the page. `app/modules.ts`
 * registers the modules before the page is drawn; without any, all of this does nothing.
 */
import type { ComponentType, ReactNode } from 'react';
import { openFiles } from '#store/session/files.ts';
import type { LessonPlace } from './address.ts';
import { followAddress } from './follow-link.ts';

/** A command of the palette. */
export type PageCommand = {
  readonly id: string;
  /** Raw text. */
  readonly title: string;
  /** More words that find it. */
  readonly also?: string;
  readonly keys?: readonly string[];
  readonly icon: ReactNode;
  readonly run: () => void;
};

export type PageExtension = {
  /** What it adds to the address; null: nothing. */
  readonly place: () => LessonPlace | null;
  /** Is the page on its way to a place? The address then waits. */
  readonly isBusy: () => boolean;
  /** Goes to an address that may name such a place. */
  readonly follow: (hash: string) => Promise<void>;
  /** Calls `listener` when `place` has changed. Gives back what stops it. */
  readonly watch: (listener: () => void) => () => void;
  /** Steps by the keys [ and ]; false where it has no steps now, and the keys go through the history. */
  readonly step: (by: 1 | -1) => boolean;
  /** Opens files that were dropped or chosen. */
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  /** A hook: its commands. */
  readonly useCommands: () => readonly PageCommand[];
  /** Around the whole page. */
  readonly Page: ComponentType<{ readonly children: ReactNode }>;
  /** Around the view of the open file. */
  readonly Stage: ComponentType<{ readonly children: ReactNode }>;
  /** Over the page. */
  readonly Overlay: ComponentType;
  /** On the start page. */
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

/** Registers parts of the page's one extension, before the page is drawn. */
export function extendPage(parts: Partial<PageExtension>): void {
  extension = { ...extension, ...parts };
}

export function pageExtension(): PageExtension {
  return extension;
}
