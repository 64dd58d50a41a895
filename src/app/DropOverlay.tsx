import { Download } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import styles from './DropOverlay.module.css';

/** Says, while something is dragged over the page, that it may be let go. */
export function DropOverlay({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null;
  return (
    <div className={styles.overlay} aria-hidden="true">
      <div className={styles.card}>
        <Download size={28} />
        <p className={styles.title}>Drop to open</p>
        <p className={styles.text}>The file is not uploaded.</p>
      </div>
    </div>
  );
}

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
