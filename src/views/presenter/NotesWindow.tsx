import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import { onKeyDown } from '#ui/keys.ts';
import { Notes } from './Notes.tsx';
import { focusOf, type PresenterAction, presenterAction } from './presenter-keys.ts';

type NotesWindowProps = {
  readonly window: Window;
  readonly act: (action: PresenterAction) => boolean;
  /** The person has closed it. */
  readonly onClosed: () => void;
};

/** Draws the notes into their window and hears its keys. Closes it when it is not drawn any more. */
export function NotesWindow({ window: notes, act, onClosed }: NotesWindowProps) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = presenterAction(event, focusOf(event.target));
    // Escape closes the window that has the focus.
    if (action === 'end') notes.close();
    else if (action === null || !act(action)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const close = () => notes.close();
    const stopKeys = onKeyDown(notes, press);
    notes.addEventListener('pagehide', onClosed);
    window.addEventListener('pagehide', close);
    return () => {
      stopKeys();
      notes.removeEventListener('pagehide', onClosed);
      window.removeEventListener('pagehide', close);
      notes.close();
    };
  }, [notes, onClosed]);
  return createPortal(<Notes act={act} />, notes.document.body);
}
