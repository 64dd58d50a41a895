import { select } from '#store/address/navigation.ts';
import { activate } from '#store/session/panes.ts';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import styles from './LineText.module.css';
import type { Goal, LinePart } from './log-parts.ts';

/** A line of a log, its parts that lead somewhere as links. */
export function LineText({ parts }: { readonly parts: readonly LinePart[] }) {
  return (
    <span className={styles.line}>
      {parts.map(({ start, text, goal }) =>
        goal === null ? (
          <span key={start}>{shown(text)}</span>
        ) : (
          <button
            key={start}
            type="button"
            className={styles.link}
            title={goal.title}
            onClick={(event) => {
              // In a row of a table: the row's own selection must not follow and win.
              event.stopPropagation();
              follow(goal);
            }}
          >
            <bdi>{shown(text)}</bdi>
          </button>
        ),
      )}
    </span>
  );
}

/** Goes where a part leads; a relocation is inspected in this very tab. */
export function follow({ selection, view, file }: Goal): void {
  if (file !== null) activate(file);
  select(selection, view);
}

/** A tab is no hidden character in a log: the kernel indents by it. */
function shown(text: string): string {
  return drawnLines(text.replaceAll('\t', '  '));
}
