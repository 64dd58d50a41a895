import { useEffect, useEffectEvent } from 'react';

/** Calls `onFiles` with files pasted outside of a text field, and opens pasted logs. React hook. */
export function usePaste(onFiles: (files: readonly File[]) => void): void {
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      'paste',
      (event) => {
        const { target, clipboardData } = event;
        const isField =
          target instanceof Element &&
          target.closest('input, textarea, select, [contenteditable]') !== null;
        if (isField || event.defaultPrevented || clipboardData === null) return;
        const files = [...clipboardData.files];
        const text = clipboardData.getData('text/plain');
        if (files.length > 0) take(files);
        else if (text.trim() !== '')
          void import('./open-pasted.ts').then((it) => it.openPasted(text));
        else return;
        event.preventDefault();
      },
      stop,
    );
    return () => stop.abort();
  }, []);
}
