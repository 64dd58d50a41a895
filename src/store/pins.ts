/** Pins: numbered marks that a lesson puts on what the views show of one file. */
import { create } from 'zustand';
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';
import type { FileId } from './session.ts';

export type Pin = {
  /** From 1. */
  readonly number: number;
  /** Visible text, its code between back ticks. */
  readonly text: string;
  readonly selection: Selection;
  /** File bytes; null where the selection has none. */
  readonly span: Span | null;
  readonly isLit: boolean;
};

const NO_PINS: readonly Pin[] = [];

type Pins = { readonly fileId: FileId | null; readonly pins: readonly Pin[] };

const usePinned = create<Pins>(() => ({ fileId: null, pins: NO_PINS }));

/** Puts `pins` on a file, in place of all others; null takes them away. */
export function setPins(fileId: FileId | null, pins: readonly Pin[] = NO_PINS): void {
  usePinned.setState({ fileId, pins });
}

/** The pins on the file of this id. */
export function usePins(id: FileId): readonly Pin[] {
  return usePinned(({ fileId, pins }) => (fileId === id ? pins : NO_PINS));
}
