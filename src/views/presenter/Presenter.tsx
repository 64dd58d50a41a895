import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { goToNext, goToPrevious } from '#store/lesson/lesson-player.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import {
  changeSize,
  stopPresenting,
  toggleAid,
  toggleFullScreen,
  usePresenter,
} from '#store/lesson/presenter.ts';
import { announce } from '#store/session.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { KeyTable } from '#ui/Kbd.tsx';
import { onKeyDown } from '#ui/keys.ts';
import { Laser } from './Laser.tsx';
import { NotesWindow } from './NotesWindow.tsx';
import { openNotes } from './notes-window.ts';
import styles from './Presenter.module.css';
import {
  focusOf,
  PRESENTER_KEYS,
  type PresenterAction,
  presenterAction,
} from './presenter-keys.ts';
import { Spotlight } from './Spotlight.tsx';
import { Tools } from './Tools.tsx';
import { useFullScreenEnd } from './use-full-screen-end.ts';
import { useLargeType } from './use-large-type.ts';

/** What is there while somebody presents: the aids, their keys, and the notes in a window of their own. */
export function Presenter() {
  const { isBlank, hasSpotlight, hasLaser, hasKeys } = usePresenter();
  const [notes, setNotes] = useState<Window | null>(null);
  useLargeType();
  useFullScreenEnd();
  const closeNotes = useCallback(() => setNotes(null), []);

  const act = (action: PresenterAction): boolean => {
    switch (action) {
      case 'next':
      case 'previous':
        if (useLesson.getState().open === null) return false;
        void (action === 'next' ? goToNext() : goToPrevious());
        return true;
      case 'blank':
        toggleAid('isBlank');
        return true;
      case 'laser':
        toggleAid('hasLaser');
        return true;
      case 'spotlight':
        toggleAid('hasSpotlight');
        return true;
      case 'keys':
        toggleAid('hasKeys');
        return true;
      case 'larger':
      case 'smaller':
        changeSize(action === 'larger' ? 1 : -1);
        return true;
      case 'fullScreen':
        toggleFullScreen();
        return true;
      case 'notes':
        toggleNotes();
        return true;
      case 'end':
        if (usePresenter.getState().isBlank) toggleAid('isBlank');
        else stopPresenting();
        return true;
    }
  };

  const toggleNotes = () => {
    if (notes !== null) return setNotes(null);
    const opened = openNotes();
    setNotes(opened);
    if (opened === null) {
      announce('The browser blocked the notes window: allow pop-ups for this page');
    }
  };

  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = presenterAction(event, focusOf(event.target));
    if (action === null || !act(action)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Before the tool's own keys: a clicker steps wherever the focus is.
  useEffect(() => onKeyDown(document, press, { capture: true }), []);

  return (
    <>
      <Tools hasNotes={notes !== null} act={act} />
      {hasSpotlight && !isBlank ? <Spotlight /> : null}
      {hasLaser && !isBlank ? <Laser /> : null}
      {isBlank ? (
        <button
          type="button"
          className={styles.blank}
          aria-label="Unblank screen"
          onClick={() => act('blank')}
        />
      ) : null}
      <Dialog
        isOpen={hasKeys}
        onClose={() => usePresenter.setState({ hasKeys: false })}
        title="Keys while presenting"
      >
        <KeyTable rows={PRESENTER_KEYS} />
      </Dialog>
      {notes === null ? null : <NotesWindow window={notes} act={act} onClosed={closeNotes} />}
    </>
  );
}
