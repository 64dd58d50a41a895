import type { Callout } from '#lessons/lesson.ts';
import { selectPlace } from '#store/lesson/lesson-player.ts';
import { peekPin } from '#store/lesson/pins.ts';
import { markdownText } from '#views/parts/markdown-text.ts';
import styles from './CalloutList.module.css';
import { InlineText } from './InlineText.tsx';

/** What is pinned to places of the tool, each with the number of its pin. */
export function CalloutList({ callouts }: { readonly callouts: readonly Callout[] }) {
  return (
    <ol className={styles.list} aria-label="Pins">
      {callouts.map(({ at, text }, index) => (
        <li key={`${at} ${text}`}>
          <button
            type="button"
            className={styles.callout}
            onClick={() => void selectPlace(at)}
            onPointerEnter={() => peekPin(index + 1)}
            onPointerLeave={() => peekPin(null)}
            onFocus={() => peekPin(index + 1)}
            onBlur={() => peekPin(null)}
          >
            <span className={styles.number}>{index + 1}</span>
            <span className={styles.text}>
              <InlineText text={markdownText(text)} isPlain />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
