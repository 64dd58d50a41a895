import { visible } from '#bytes/text.ts';
import { useClass } from '#store/lesson/class.ts';
import { showPart } from '#store/lesson/presenter.ts';
import { newestFirst, useProgress } from '#store/lesson/progress.ts';
import { Button } from '#ui/Button.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CertificateView.module.css';

/** Shows the lessons that the learner has finished, as one page to print. */
export function CertificateView() {
  const name = useClass((state) => state.name);
  const lessons = useProgress((state) => state.lessons);
  const finished = newestFirst(lessons).flatMap(([key, entry]) =>
    entry.isFinished ? [{ key, ...entry }] : [],
  );
  const answers = finished.reduce((sum, { done }) => sum + done.length, 0);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <p className="grow soft">The name is entered under Progress.</p>
        <Button onClick={() => showPart(null)}>Close certificate</Button>
        <Button variant="primary" onClick={() => window.print()}>
          Print certificate
        </Button>
      </header>
      <main className={styles.paper}>
        <p className={styles.product}>btfscope</p>
        <h1 className={styles.title}>Certificate</h1>
        <p className={styles.name}>{visible(name.trim()) || '\u00a0'}</p>
        <p className={styles.says}>
          has finished {countOf(finished.length, 'lesson')} on BTF and CO-RE, with{' '}
          {countOf(answers, 'right answer')}:
        </p>
        <ul className={styles.list}>
          {finished.toReversed().map(({ key, title, seenAt }) => (
            <li key={key} className={styles.lesson}>
              <span>{visible(title)}</span>
              <time className={styles.date} dateTime={new Date(seenAt).toISOString()}>
                {new Date(seenAt).toLocaleDateString(undefined, { dateStyle: 'medium' })}
              </time>
            </li>
          ))}
        </ul>
        <p className={styles.note}>
          Printed from the learner’s browser, which alone has checked the answers.
        </p>
        <p className={styles.sign}>Date and signature of the teacher</p>
      </main>
    </div>
  );
}
