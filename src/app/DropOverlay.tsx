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

type DragListener = (event: DragEvent) => void;

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
    const stop = new AbortController();
    const listen = (type: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: DragListener) =>
      document.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files') === true) act(event);
        },
        { signal: stop.signal },
      );
    listen('dragenter', () => show(depth + 1));
    listen('dragleave', () => show(depth - 1));
    listen('dragover', (event) => event.preventDefault());
    listen('drop', (event) => {
      show(0);
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    });
    return () => stop.abort();
  }, []);

  return isDragging;
}
