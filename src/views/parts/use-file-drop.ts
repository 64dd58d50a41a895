import { type DragEvent, useRef } from 'react';

/**
 * Takes a file that is dropped on a part of a view. The page itself takes all files,
 * and counts what is entered and left: it must hear nothing from in here, except of
 * files that `takes` refuses, which are its own. `setOver` is told whether something
 * is held over the part.
 */
export function useFileDrop(
  onFile: (file: File) => void,
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
      const [file] = event.dataTransfer.files;
      if (file === undefined || !takes(file)) return;
      pass(event);
      onFile(file);
    },
  };
}
