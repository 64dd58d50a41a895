import { useEffect, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { showHandout } from '#store/lesson/presenter.ts';
import {
  closeOthers,
  openIds,
  openStepFiles,
  type StepFile,
} from '#store/lesson/presenter-files.ts';
import { Button } from '#ui/Button.tsx';
import { Answers } from './Answers.tsx';
import { HandoutStep } from './HandoutStep.tsx';
import styles from './HandoutView.module.css';

/** The whole lesson as pages: each step with a picture, a line for each answer, the answers on a page of their own. */
export function HandoutView() {
  const open = useLesson((state) => state.open);
  const lesson = open?.lesson ?? null;
  const files = useStepFiles(open);
  const isReady = files !== null;
  if (open === null || lesson === null) return null;
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <p role="status" className={styles.status}>
          {isReady ? 'The handout is ready' : 'Opening the files of this lesson…'}
        </p>
        <Button onClick={() => showHandout(false)}>Close handout</Button>
        <Button variant="primary" disabled={!isReady} onClick={() => window.print()}>
          Print handout
        </Button>
      </header>
      <main className={styles.paper}>
        <header className={styles.title}>
          <h1>{visible(lesson.title) || 'Lesson'}</h1>
          <p>{visible(lesson.about)}</p>
          <p className="small soft">A lesson of btfscope, {lesson.steps.length} steps</p>
        </header>
        {lesson.steps.map((step, index) => (
          <HandoutStep
            key={step.id}
            open={open}
            step={step}
            index={index}
            file={files?.[index] ?? null}
          />
        ))}
        <Answers open={open} isReady={isReady} />
      </main>
    </div>
  );
}

/** Null until all are open. What was opened for it is closed again. */
function useStepFiles(open: OpenLesson | null): readonly StepFile[] | null {
  const [found, setFound] = useState<readonly StepFile[] | null>(null);
  useEffect(() => {
    if (open === null) return;
    const before = openIds();
    let isWanted = true;
    const opening = openStepFiles(open).then((files) => {
      if (isWanted) setFound(files);
    });
    return () => {
      isWanted = false;
      void opening.then(() => closeOthers(before));
    };
  }, [open]);
  useEffect(() => {
    const leave = () => showHandout(false);
    window.addEventListener('popstate', leave);
    return () => window.removeEventListener('popstate', leave);
  }, []);
  return found;
}
