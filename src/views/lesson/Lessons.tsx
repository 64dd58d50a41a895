import { Check } from 'lucide-react';
import { useState } from 'react';
import {
  CATALOGUE,
  type CatalogueEntry,
  lessonsOf,
  TRACKS,
  type Track,
} from '#lessons/catalogue.ts';
import { lastLesson, progressOf, useProgress } from '#store/lesson/progress.ts';
import { startLesson } from '#store/lesson/start-lesson.ts';
import { Button } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { StartSection } from '#views/start/StartSection.tsx';
import styles from './Lessons.module.css';

/** The lessons that come with the page, with what somebody has done of them. */
export function Lessons() {
  const lessons = useProgress((state) => state.lessons);
  const [shown, setShown] = useState<'all' | Track>('all');
  if (CATALOGUE.length === 0) return null;
  const entries = shown === 'all' ? CATALOGUE : lessonsOf(shown);
  const last = lastLesson(lessons);
  const left = CATALOGUE.find(({ id }) => id === last?.key);
  return (
    <StartSection
      title="Lessons"
      about="BTF and CO-RE from the first byte on, step by step in real objects."
      actions={
        left === undefined ? null : (
          <Button
            size="small"
            className={styles.continue}
            onClick={() => void startLesson(left.id)}
          >
            <span className={styles.left}>Continue where you were: {left.title}</span>
          </Button>
        )
      }
    >
      <div className={styles.tracks}>
        <Segmented label="Track" options={TRACK_NAMES} value={shown} onChange={setShown} />
        <span className="small muted">{durationText(entries)}</span>
      </div>
      <ol className={styles.list}>
        {entries.map((entry) => {
          const progress = progressOf(lessons, entry.id);
          const state = progress === null ? 'new' : progress.isFinished ? 'finished' : 'begun';
          return (
            <li key={entry.id} className={styles.item}>
              <Line entry={entry} state={state} />
            </li>
          );
        })}
      </ol>
    </StartSection>
  );
}

const TRACK_NAMES = {
  all: 'All',
  why: TRACKS.why.title,
  workshop: TRACKS.workshop.title,
  format: TRACKS.format.title,
  exercises: TRACKS.exercises.title,
} as const;

/** `About 30 minutes`, `About 2 hours`, `About 1.5 hours`. */
function durationText(entries: readonly CatalogueEntry[]): string {
  const minutes = entries.reduce((sum, entry) => sum + entry.minutes, 0);
  return minutes < 60 ? `About ${minutes} minutes` : `About ${Math.round(minutes / 30) / 2} hours`;
}

const STATE_WORDS = { new: '', begun: ' Begun.', finished: ' Finished.' } as const;

type LineProps = {
  readonly entry: CatalogueEntry;
  readonly state: keyof typeof STATE_WORDS;
};

function Line({ entry, state }: LineProps) {
  const { id, number, title, about, minutes } = entry;
  const aboutId = `lesson-${id}`;
  return (
    <button
      type="button"
      className={styles.lesson}
      aria-label={`Lesson ${number}: ${title}`}
      aria-describedby={aboutId}
      onClick={() => void startLesson(id)}
    >
      <span className={styles.number} data-state={state}>
        {state === 'finished' ? <Check size={14} aria-hidden /> : number}
      </span>
      <span className={styles.words}>
        <span>
          <span className="bold">{title}</span> <span className="small muted">{minutes} min</span>
        </span>
        <span id={aboutId} className="small soft pretty">
          {about}
          <span className="visually-hidden">{STATE_WORDS[state]}</span>
        </span>
      </span>
    </button>
  );
}
