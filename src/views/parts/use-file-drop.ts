import { type DragEvent, useRef } from 'react';

/**
 * Returns handlers for files dropped on a part of a view. The page handles a drop if `takes`
 * refuses it or if it is elsewhere. `setOver` tells whether a drag is over the part.
 */
export function useFileDrop(
  onFiles: (files: readonly File[]) => void,
  setOver: (isOver: boolean) => void,
  takes: (file: File) => boolean = () => true,
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
      if (files.length === 0 || !files.every(takes)) return;
      pass(event);
      onFiles(files);
    },
  };
}
