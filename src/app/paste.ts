/** Opens what the user pastes outside of a text field: files, and texts that are logs. */
import { useEffect, useEffectEvent } from 'react';
import { announce } from '#store/session/session.ts';

/** Calls `onFiles` with pasted files, and opens a pasted log. React hook. */
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
        else if (text.trim() !== '') void openPasted(text);
        else return;
        event.preventDefault();
      },
      stop,
    );
    return () => stop.abort();
  }, []);
}

async function openPasted(text: string): Promise<void> {
  const [{ isLog, LOG_WINDOW }, { isLogLine }, { openLog }] = await Promise.all([
    import('#formats/verifier-log/detect.ts'),
    import('#analysis/log/failures.ts'),
    import('#store/kernels/open-log.ts'),
  ]);
  const encoder = new TextEncoder();
  const head = encoder.encode(text.slice(0, LOG_WINDOW));
  const tail = encoder.encode(text.slice(-LOG_WINDOW));
  if (isLog(head, tail, isLogLine)) await openLog(text);
  else announce('The pasted text is not a log of a loader or of the verifier');
}
