import { useId, useMemo, useState } from 'react';
import { visible } from '#bytes/text.ts';
import {
  type ClassTally,
  decodeProgress,
  type KnownLesson,
  type LessonTally,
  tallyClass,
} from '#lessons/class-progress.ts';
import { addCodes, codeFaults, knownLessons, removeCodes, useClass } from '#store/lesson/class.ts';
import { showPart, usePresenter } from '#store/lesson/presenter.ts';
import { useAsync } from '#store/session/hooks.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './Class.module.css';

/** Shows the progress of a class: each learner, and the step at which most learners are. */
export function ClassDialog() {
  const isOpen = usePresenter(({ part }) => part === 'class');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => showPart(null)}
      size="wide"
      title="Class"
      description="Learners find their code under Progress. Codes stay in this browser, and prove nothing: they say what a learner's page says."
    >
      {isOpen ? <ClassBody /> : null}
    </Dialog>
  );
}

const NO_LESSONS: readonly KnownLesson[] = [];

function ClassBody() {
  const codes = useClass((state) => state.codes);
  const known = useAsync<readonly KnownLesson[]>(knownLessons, (put) => {
    void knownLessons().then(put);
  });
  const tally = useMemo(() => {
    const read = codes.flatMap((code) => decodeProgress(code) ?? []);
    return tallyClass(read, known ?? NO_LESSONS);
  }, [codes, known]);
  return (
    <div className="stack gap-3">
      <AddCodes />
      {codes.length === 0 ? null : (
        <>
          <Learners tally={tally} />
          <Steps lessons={tally.lessons} />
          <div>
            <Button size="small" variant="quiet" onClick={removeCodes}>
              Remove all codes
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** Shows the field for the codes of learners. Other text between codes is ignored. */
function AddCodes() {
  const id = useId();
  const [text, setText] = useState('');
  const [result, setResult] = useState('');
  const add = () => {
    const added = addCodes(text);
    const faults = codeFaults(text);
    if (added >= 0 && faults.length === 0) setText('');
    const summary =
      added < 0
        ? faults.length > 0
          ? ''
          : 'There is no code that can be read. A code begins with BTF2- and ends with 0.'
        : added === 0
          ? 'These codes were here already.'
          : `Added ${countOf(added, 'code')}.`;
    setResult([summary, ...faults].join(' ').trim());
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="small soft">
        Codes, with any text between them; of one name the last counts
      </label>
      <textarea
        id={id}
        className={styles.text}
        rows={3}
        spellCheck={false}
        placeholder="BTF2-…"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row gap-2">
        <Button variant="primary" size="small" disabled={text.trim() === ''} onClick={add}>
          Add codes
        </Button>
        <span aria-live="polite" className="small soft">
          {result}
        </span>
      </div>
    </div>
  );
}

/** Shows the progress of each learner. */
function Learners({ tally }: { readonly tally: ClassTally }) {
  const titles = new Map(tally.lessons.map(({ fingerprint, title }) => [fingerprint, title]));
  return (
    <div className={styles.scroll} {...scrollRegion('Learners')}>
      <table className={styles.table}>
        <caption className={styles.caption}>{countOf(tally.learners.length, 'learner')}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Lesson</th>
            {['Step', 'Answered', 'Finished lessons'].map((title) => (
              <th key={title} scope="col" className={styles.number}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tally.learners.map((learner) => (
            <tr key={learner.name}>
              <th scope="row">{visible(learner.name)}</th>
              <td>{learner.lesson === null ? '' : visible(titles.get(learner.lesson) ?? '')}</td>
              <td className={styles.number}>{learner.lesson === null ? '' : learner.step}</td>
              <td className={styles.number}>
                {learner.lesson === null
                  ? ''
                  : learner.isFinished
                    ? 'all'
                    : `${learner.answered} of ${learner.asked}`}
              </td>
              <td className={styles.number}>{learner.finishedCount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows each step of a lesson: the answers, and the learners who are at the step. */
function Steps({ lessons }: { readonly lessons: readonly LessonTally[] }) {
  const id = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const lesson = lessons.find(({ fingerprint }) => fingerprint === chosen) ?? lessons[0];
  if (lesson === undefined) return null;
  return (
    <section className="stack gap-2" aria-labelledby={id}>
      <div className="row wrap gap-2">
        <h3 id={id} className={styles.heading}>
          Steps
        </h3>
        <select
          className={styles.select}
          aria-label="Lesson of the steps"
          value={lesson.fingerprint}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {lessons.map(({ fingerprint, title }) => (
            <option key={fingerprint} value={fingerprint}>
              {visible(title)}
            </option>
          ))}
        </select>
        <span className="small soft">
          Begun by {lesson.begun}, finished by {lesson.finished}.
        </span>
      </div>
      <ol className={styles.steps}>
        {lesson.steps.map((step, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one title
            key={index}
            className={styles.step}
            data-stop={step.isStop ? '' : undefined}
          >
            <span className="muted">{index + 1}</span>
            <span className="break">
              {visible(step.title)}
              {step.waiting.length === 0 ? null : (
                <span className="small soft">
                  {' '}
                  {step.isStop ? <strong className={styles.stop}>Stops most: </strong> : 'Here: '}
                  {visible(step.waiting.join(', '))}
                </span>
              )}
              {step.wrong.length === 0 ? null : (
                <span className={styles.wrong}>
                  Wrong:{' '}
                  {step.wrong
                    .map(({ text, learners }) => `${visible(text)} (${learners})`)
                    .join(', ')}
                </span>
              )}
            </span>
            <span className={styles.number}>
              {step.isAsked ? `${step.answered} of ${lesson.begun}` : ''}
            </span>
            <span className={styles.bar} aria-hidden>
              <span
                className={styles.part}
                style={{ width: `${(step.answered / lesson.begun) * 100}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
