import { ArrowRight } from 'lucide-react';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { openLesson } from '#store/lesson/lesson-player.ts';
import { progressOf, useProgress } from '#store/lesson/progress.ts';
import { Button } from '#ui/Button.tsx';
import styles from './WhatNext.module.css';

/** At the end of a lesson: which one comes next. Nothing for a lesson that is none of ours, nor behind the last. */
export function WhatNext({ lessonKey }: { readonly lessonKey: string }) {
  const isFinished = useProgress(
    ({ lessons }) => progressOf(lessons, lessonKey)?.isFinished ?? false,
  );
  const at = CATALOGUE.findIndex(({ id }) => id === lessonKey);
  const next = at < 0 ? undefined : CATALOGUE[at + 1];
  if (next === undefined)
    return isFinished ? <p className="muted">This was the last lesson.</p> : null;
  return (
    <div className={styles.next}>
      <p className={styles.about}>
        <span className="muted">{isFinished ? 'Done. Next:' : 'Next lesson:'}</span> {next.title}
      </p>
      <Button
        size="small"
        variant={isFinished ? 'primary' : 'plain'}
        onClick={() => void openLesson(next.id, null)}
      >
        Lesson {next.number}
        <ArrowRight size={14} aria-hidden />
      </Button>
    </div>
  );
}
