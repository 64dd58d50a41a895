/** Pins: numbered marks on what the views show of a file, those of a lesson and those of a person's notes. */
import { useMemo } from 'react';
import { create } from 'zustand';
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';
import type { FileId } from './session.ts';

export type Pin = {
  /** From 1. */
  readonly number: number;
  /** Visible text, its code between back ticks; of a note raw text. */
  readonly text: string;
  readonly selection: Selection;
  /** File bytes; null where the selection has none. */
  readonly span: Span | null;
  readonly isLit: boolean;
  readonly isNote?: boolean;
};

const NO_PINS: readonly Pin[] = [];

type Pins = {
  /** The file of the lesson's pins. */
  readonly fileId: FileId | null;
  readonly pins: readonly Pin[];
  readonly notes: ReadonlyMap<FileId, readonly Pin[]>;
};

const usePinned = create<Pins>(() => ({ fileId: null, pins: NO_PINS, notes: new Map() }));

/** Puts a lesson's `pins` on a file, in place of all others; null takes them away. */
export function setCalloutPins(fileId: FileId | null, pins: readonly Pin[] = NO_PINS): void {
  usePinned.setState({ fileId, pins });
}

/** Puts the pins of the notes on a file, in place of those of before. */
export function setNotePins(id: FileId, pins: readonly Pin[]): void {
  usePinned.setState(({ notes }) => {
    const next = new Map(notes);
    if (pins.length === 0) next.delete(id);
    else next.set(id, pins);
    return { notes: next };
  });
}

/** The pins on the file of this id: first the lesson's. */
export function usePins(id: FileId): readonly Pin[] {
  const ofLesson = usePinned(({ fileId, pins }) => (fileId === id ? pins : NO_PINS));
  const ofNotes = usePinned(({ notes }) => notes.get(id) ?? NO_PINS);
  return useMemo(
    () => (ofNotes.length === 0 ? ofLesson : [...ofLesson, ...ofNotes]),
    [ofLesson, ofNotes],
  );
}
