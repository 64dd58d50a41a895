import type { Change, Changes } from '#analysis/workbench/changes.ts';
import { visible } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './ChangeNews.module.css';

const MAX_GONE = 3;
const MAX_NAME = 40;

/** What the last change did to the types, in words; or that what is shown is of a text before. */
export function ChangeNews({
  isStale,
  changes,
}: {
  readonly isStale: boolean;
  readonly changes: Changes | null;
}) {
  const news = isStale ? STALE : changes === null ? '' : changeWords(changes);
  if (news === '') return null;
  return (
    <p className={styles.news} data-stale={isStale}>
      {news}
    </p>
  );
}

const STALE = 'As of the last text without a problem';

function changeWords({ types, goneTypes, bytes }: Changes): string {
  const count = (change: Change) => [...types.values()].filter((one) => one === change).length;
  const [fresh, changed] = [count('new'), count('changed')];
  const byteCount = bytes.reduce((sum, { start, end }) => sum + end - start, 0);
  const gone = goneTypes.slice(0, MAX_GONE).map((name) => visible(name.slice(0, MAX_NAME)));
  const more = goneTypes.length - gone.length;
  return [
    fresh > 0 ? `${fresh} new` : '',
    changed > 0 ? `${changed} changed` : '',
    gone.length > 0 ? `gone: ${gone.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : '',
    byteCount > 0 ? `${countOf(byteCount, 'byte')} differ` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
