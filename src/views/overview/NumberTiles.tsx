import { select, showView } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import styles from './NumberTiles.module.css';
import type { Tile } from './tiles.ts';

/** How much there is of what; each number leads to where it is shown. */
export function NumberTiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul className={styles.tiles} aria-label="Numbers">
      {tiles.map((tile) => (
        <li key={tile.id} className={styles.item}>
          <button type="button" className={styles.tile} onClick={() => go(tile)}>
            <span className={styles.count} data-zero={tile.count === 0}>
              {tile.count === null ? '…' : grouped(tile.count)}
            </span>{' '}
            <span className={styles.word}>{tile.count === 1 ? tile.singular : tile.plural}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function go({ selection, view }: Tile) {
  if (selection === null) showView(view);
  else select(selection, view);
}
