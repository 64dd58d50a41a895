import type { ReactNode } from 'react';
import { visible } from '#bytes/text.ts';
import styles from './PinMark.module.css';

type PinMarkProps = {
  readonly number: number;
  /** What its callout says; the accessible name and the tooltip of the mark. */
  readonly text: string;
  /** Is its callout pointed at? */
  readonly isLit?: boolean;
  /** Is it a person's note, and not of a lesson? */
  readonly isNote?: boolean;
};

/** The number of a lesson's callout or of a note, on what it is pinned to. */
export function PinMark(pin: PinMarkProps) {
  const { isLit = false, isNote = false } = pin;
  return (
    <span
      className={styles.pin}
      data-lit={isLit ? '' : undefined}
      data-note={isNote ? '' : undefined}
      title={pinLabel(pin)}
    >
      <span className="visually-hidden">{isNote ? pinLabel(pin) : 'Pin '}</span>
      <span aria-hidden={isNote}>{pinBadge(pin)}</span>
    </span>
  );
}

/** What a mark shows: `2` of a lesson, `n2` of a note. */
export function pinBadge({ number, isNote }: Pick<PinMarkProps, 'number' | 'isNote'>): string {
  return isNote === true ? `n${number}` : `${number}`;
}

/** More on one place are counted: a row has no room for them. */
const MAX_MARKS = 3;

/** The marks of all that is pinned to one place. */
export function PinMarks({ pins }: { readonly pins: readonly PinMarkProps[] }) {
  const shown = pins.length > MAX_MARKS ? pins.slice(0, MAX_MARKS - 1) : pins;
  const rest = pins.slice(shown.length);
  const told = rest.map(pinLabel).join('\n');
  return (
    <>
      {shown.map((pin) => (
        <PinMark key={pinBadge(pin)} {...pin} />
      ))}
      {rest.length === 0 ? null : (
        <span
          className={styles.pin}
          data-lit={rest.some(({ isLit }) => isLit) ? '' : undefined}
          data-note={rest.every(({ isNote }) => isNote) ? '' : undefined}
          title={told}
        >
          <span className="visually-hidden">{told}</span>
          <span aria-hidden>+{rest.length}</span>
        </span>
      )}
    </>
  );
}

type PinnedProps = {
  readonly pins: readonly PinMarkProps[];
  readonly children: ReactNode;
};

/** The content of a cell behind the pins that stand on it. */
export function Pinned({ pins, children }: PinnedProps) {
  if (pins.length === 0) return children;
  return (
    <span className="row gap-1 shrink">
      <PinMarks pins={pins} />
      {children}
    </span>
  );
}

/** `Pin 2: vlen`, `Note 1: read twice`: what a mark is called where it has no room for the text. Code ticks of lessons are left out. */
export function pinLabel({ number, text, isNote }: PinMarkProps): string {
  return visible(
    isNote === true ? `Note ${number}: ${text}` : `Pin ${number}: ${text.replaceAll('`', '')}`,
  );
}
