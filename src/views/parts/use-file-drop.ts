import { type DragEvent, useRef } from 'react';

/** A dropped file or folder; null in browsers and tests without entries. */
export type DroppedEntry = FileSystemEntry | null;

/**
 * Returns handlers for files dropped on a part of a view. The page handles a drop if `takes`
 * refuses it or if it is elsewhere. `setOver` tells whether a drag is over the part. `entries` are
 * in the order of the files.
 */
export function useFileDrop(
  onFiles: (files: readonly File[], entries: readonly DroppedEntry[]) => void,
  setOver: (isOver: boolean) => void,
  takes: (file: File, entry: DroppedEntry) => boolean = () => true,
) {
  const depth = useRef(0);
  const show = (next: number) => {
    depth.current = Math.max(0, next);
    setOver(depth.current > 0);
  };
  const pass = (event: DragEvent) => {
    event.nativeEvent.stopPropagation();
    event.preventDefault();
  };
  return {
    onDragEnter: (event: DragEvent) => {
      pass(event);
      show(depth.current + 1);
    },
    onDragLeave: (event: DragEvent) => {
      pass(event);
      show(depth.current - 1);
    },
    onDragOver: pass,
    onDrop: (event: DragEvent) => {
      show(0);
      const files = [...event.dataTransfer.files];
      const entries = [...(event.dataTransfer.items ?? [])]
        .filter(({ kind }) => kind === 'file')
        .map((item) => item.webkitGetAsEntry?.() ?? null);
      const isTaken = (file: File, i: number) => takes(file, entries[i] ?? null);
      if (files.length === 0 || !files.every(isTaken)) return;
      pass(event);
      onFiles(files, entries);
    },
  };
}
