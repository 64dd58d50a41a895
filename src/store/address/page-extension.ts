/** Parts of the page from removable modules; `app/modules.ts` registers them before it renders. */
import type { ComponentType, ReactNode } from 'react';
import { openFiles } from '#store/session/files.ts';
import type { LessonPlace } from './address.ts';
import { followAddress } from './follow-link.ts';

/** A command of the palette. */
export type PageCommand = {
  readonly id: string;
  /** Title of the command, not escaped. */
  readonly title: string;
  /** Additional words that find the command in the palette. */
  readonly also?: string;
  readonly keys?: readonly string[];
  readonly icon: ReactNode;
  readonly run: () => void;
};

export type PageExtension = {
  /** Returns the lesson, step and file for the address; null without an open lesson. */
  readonly place: () => LessonPlace | null;
  /** Returns true while a step is being opened. The address does not change in the meantime. */
  readonly isBusy: () => boolean;
  /** Goes to an address, which may name a lesson. */
  readonly follow: (hash: string) => Promise<void>;
  /** Calls `listener` when the result of `place` changes. Returns a function that removes it. */
  readonly watch: (listener: () => void) => () => void;
  /** Goes to the next or previous step, for the keys [ and ]. Returns false without a lesson. */
  readonly step: (by: 1 | -1) => boolean;
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  /** Returns the palette commands of the extension. React hook. */
  readonly useCommands: () => readonly PageCommand[];
  /** Component that wraps the whole page. */
  readonly Page: ComponentType<{ readonly children: ReactNode }>;
  /** Component that wraps the view of the open file. */
  readonly Stage: ComponentType<{ readonly children: ReactNode }>;
  /** Component drawn over the page. */
  readonly Overlay: ComponentType;
  /** Component among the buttons of the header. */
  readonly HeaderAction: ComponentType;
  readonly StartSection: ComponentType;
  /** Component of the first screen of the start page. */
  readonly StartAction: ComponentType;
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
  HeaderAction: nothing,
  StartSection: nothing,
  StartAction: nothing,
};

/** Replaces parts of the default extension. Call it before the first render. */
export function extendPage(parts: Partial<PageExtension>): void {
  extension = { ...extension, ...parts };
}

export function pageExtension(): PageExtension {
  return extension;
}
