import { Check } from 'lucide-react';
import { useState } from 'react';
import { visible } from '#bytes/text.ts';
import {
  CATALOGUE,
  type CatalogueEntry,
  lessonsOf,
  TRACKS,
  type Track,
} from '#lessons/catalogue.ts';
import {
  draftTitle,
  forgetLinked,
  useDrafts,
  useLinkedLessons,
} from '#store/lesson/kept-lessons.ts';
import { showPart } from '#store/lesson/presenter.ts';
import { lastTrack, progressOf, useProgress } from '#store/lesson/progress.ts';
import { startLesson, startWriting } from '#store/lesson/start-lesson.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Segmented } from '#ui/inputs.tsx';
import { StartSection } from '#views/start/StartSection.tsx';
import { useContinued } from './continue-lesson.ts';
import styles from './Lessons.module.css';

type Shown = Track | 'all';

/** Shows the button that opens the last visited lesson; nothing if none is unfinished. */
export function ContinueLesson() {
  const last = useContinued();
  if (last === null) return null;
  return (
    <Button className={styles.continue} onClick={() => void startLesson(last.key)}>
      <span className={styles.left}>{last.label}</span>
    </Button>
  );
}

/** Shows the lessons of the page with their progress, and lessons from links. */
export function Lessons() {
  const lessons = useProgress((state) => state.lessons);
  const [chosen, setChosen] = useState<Shown | null>(null);
  const shown = chosen ?? lastTrack(lessons, 'why') ?? 'all';
  const entries = shown === 'all' ? CATALOGUE : lessonsOf(shown);
  const track = shown === 'all' ? null : shown;
  return (
    <StartSection title="Lessons" about="BTF and CO-RE from the first byte on.">
      <div className={styles.tracks}>
        <Segmented label="Track" options={TRACK_NAMES} value={shown} onChange={setChosen} />
        <span className={classNames('small muted', styles.duration)}>{durationText(entries)}</span>
        <span className="row at-end">
          <Button variant="quiet" size="small" onClick={() => showPart('progress')}>
            Progress
          </Button>
          <Button variant="quiet" size="small" onClick={() => showPart('class')}>
            Class
          </Button>
        </span>
      </div>
      <ol className={styles.list}>
        {entries.map((entry, index) => {
          const progress = progressOf(lessons, entry.id);
          const state = progress === null ? 'new' : progress.isFinished ? 'finished' : 'begun';
          return (
            <li key={entry.id} className={styles.item}>
              <Line entry={entry} number={index + 1} state={state} track={track} />
            </li>
          );
        })}
      </ol>
      <OtherLessons />
    </StartSection>
  );
}

/** Shows lessons from links, and drafts, if there are any. */
function OtherLessons() {
  const linked = useLinkedLessons((state) => state.lessons);
  const drafts = useDrafts((state) => state.drafts);
  if (linked.length === 0 && drafts.size === 0) return null;
  return (
    <ul className={styles.others} aria-label="Other lessons">
      {linked.map(({ key, linked: file, title }) => (
        <OtherLine
          key={key}
          title={visible(title) || 'Lesson without a title'}
          from="from a link"
          onOpen={() => void startLesson(key, { linked: file })}
          onRemove={() => forgetLinked(key)}
        />
      ))}
      {[...drafts].reverse().map(([key, text]) => (
        <OtherLine
          key={key}
          title={visible(draftTitle(text))}
          from="draft"
          onOpen={() => void startWriting(key)}
          onRemove={null}
        />
      ))}
    </ul>
  );
}

type OtherLineProps = {
  /** Title of the lesson, escaped. */
  readonly title: string;
  readonly from: string;
  readonly onOpen: () => void;
  /** Removes the lesson from the list; null if another part of the page removes it. */
  readonly onRemove: (() => void) | null;
};

function OtherLine({ title, from, onOpen, onRemove }: OtherLineProps) {
  return (
    <li className={styles.other}>
      <span className={styles.otherTitle}>
        {title} <span className="small muted">{from}</span>
      </span>
      <Button size="small" aria-label={`Open ${title}`} onClick={onOpen}>
        Open
      </Button>
      {onRemove === null ? null : (
        <Button variant="quiet" size="small" aria-label={`Remove ${title}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </li>
  );
}

const TRACK_NAMES = {
  why: TRACKS.why.title,
  workshop: TRACKS.workshop.title,
  format: TRACKS.format.title,
  exercises: TRACKS.exercises.title,
  all: 'All',
} as const;

/** Returns the total duration as a text: `About 30 minutes`, `About 1.5 hours`. */
function durationText(entries: readonly CatalogueEntry[]): string {
  const minutes = entries.reduce((sum, entry) => sum + entry.minutes, 0);
  return minutes < 60 ? `About ${minutes} minutes` : `About ${Math.round(minutes / 30) / 2} hours`;
}

const STATE_WORDS = { new: '', begun: ' Begun.', finished: ' Finished.' } as const;

type LineProps = {
  readonly entry: CatalogueEntry;
  /** Number of the lesson in the shown list. */
  readonly number: number;
  readonly state: keyof typeof STATE_WORDS;
  readonly track: Track | null;
};

function Line({ entry, number, state, track }: LineProps) {
  const { id, title, about, minutes } = entry;
  const aboutId = `lesson-${id}`;
  return (
    <button
      type="button"
      className={styles.lesson}
      aria-label={`Lesson ${number}: ${title}`}
      aria-describedby={aboutId}
      onClick={() => void startLesson(id, { track })}
    >
      <span className={styles.number} data-state={state}>
        {state === 'finished' ? <Check size={14} aria-hidden /> : number}
      </span>
      <span className={styles.words}>
        <span>
          <span className="bold">{title}</span> <span className="small muted">{minutes} min</span>
        </span>
        <span id={aboutId} className={classNames('small soft pretty', styles.about)}>
          {about}
          <span className="visually-hidden">{STATE_WORDS[state]}</span>
        </span>
      </span>
    </button>
  );
}
