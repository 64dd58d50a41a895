/** Pins: numbered marks in views, for the callouts of a lesson and for notes. */
import { useMemo } from 'react';
import { create } from 'zustand';
import type { Span } from '#bytes/span.ts';
import type { Selection } from '#model/selection.ts';
import type { FileId } from './session.ts';

export type Pin = {
  /** Number that the pin shows, from 1. */
  readonly number: number;
  /** Text of the callout, escaped, with code in backticks; or text of the note, not escaped. */
  readonly text: string;
  readonly selection: Selection;
  /** File bytes of the pin's place; null if its selection has no bytes. */
  readonly span: Span | null;
  readonly isLit: boolean;
  readonly isNote?: boolean;
};

const NO_PINS: readonly Pin[] = [];

type Pins = {
  /** File that has the lesson's pins. */
  readonly fileId: FileId | null;
  readonly pins: readonly Pin[];
  readonly notes: ReadonlyMap<FileId, readonly Pin[]>;
};

const usePinned = create<Pins>(() => ({ fileId: null, pins: NO_PINS, notes: new Map() }));

/** Sets the pins of a lesson's callouts in one file; null removes them. */
export function setCalloutPins(fileId: FileId | null, pins: readonly Pin[] = NO_PINS): void {
  usePinned.setState({ fileId, pins });
}

/** Sets the pins of the notes on a file. */
export function setNotePins(id: FileId, pins: readonly Pin[]): void {
  usePinned.setState(({ notes }) => {
    const next = new Map(notes);
    if (pins.length === 0) next.delete(id);
    else next.set(id, pins);
    return { notes: next };
  });
}

/** Returns all pins in a file; those of the lesson come first. */
export function usePins(id: FileId): readonly Pin[] {
  const ofLesson = usePinned(({ fileId, pins }) => (fileId === id ? pins : NO_PINS));
  const ofNotes = usePinned(({ notes }) => notes.get(id) ?? NO_PINS);
  return useMemo(
    () => (ofNotes.length === 0 ? ofLesson : [...ofLesson, ...ofNotes]),
    [ofLesson, ofNotes],
  );
}
