import { useEffect, useEffectEvent, useState } from 'react';

/** Takes files that are dropped anywhere on the page. True while something is dragged over it. */
export function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    // Each element that is entered sends an event, and so does each that is left.
    let depth = 0;
    const show = (next: number) => {
      depth = Math.max(0, next);
      setDragging(depth > 0);
    };
    const onEnter = (event: DragEvent) => {
      if (carriesFiles(event)) show(depth + 1);
    };
    const onLeave = (event: DragEvent) => {
      if (carriesFiles(event)) show(depth - 1);
    };
    const onOver = (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      show(0);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragenter', onEnter);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('dragover', onOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragenter', onEnter);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('drop', onDrop);
    };
  }, []);

  return isDragging;
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
