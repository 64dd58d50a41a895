import { grouped } from '#ui/grouped.ts';
import { Kbd } from '#ui/Kbd.tsx';
import styles from './PaletteFoot.module.css';
import type { Found } from './use-find.ts';

type PaletteFootProps = {
  /** What the file was asked for; empty where it was not. */
  readonly text: string;
  readonly found: Found;
};

/** How much was found, what is still being done, and what the keys do. */
export function PaletteFoot({ text, found }: PaletteFootProps) {
  return (
    <footer className={styles.foot}>
      <p className={styles.found} aria-live="polite">
        {footText(text, found)}
      </p>
      <p className={styles.keys} aria-hidden>
        <span>
          <Kbd>↵</Kbd> go
        </span>
        {text === '' ? null : (
          <>
            <span>
              <Kbd>Alt</Kbd>
              <Kbd>↵</Kbd> in the graph
            </span>
            <span>
              <Kbd>Tab</Kbd> complete
            </span>
          </>
        )}
      </p>
    </footer>
  );
}

function footText(text: string, found: Found): string {
  if (text === '') return '';
  if (found.indexing !== null) {
    return `Indexing the names of this file: ${Math.round(100 * found.indexing)} %`;
  }
  const total = found.answer?.total ?? 0;
  const shown = found.answer?.hits.length ?? 0;
  if (total > shown) return `The first ${grouped(shown)} of ${grouped(total)}`;
  if (shown > 0) return `${grouped(shown)} found`;
  return found.isWaiting ? '' : 'Nothing found';
}
