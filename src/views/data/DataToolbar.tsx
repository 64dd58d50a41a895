import { setViewParam } from '#store/view-state.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import styles from './DataTab.module.css';
import { DATA_MODES, type DataMode, MODE_TITLES } from './data-modes.ts';

/** The parts of the tab: what the file holds, and the decoder. */
export function DataToolbar({ mode }: { readonly mode: DataMode }) {
  return (
    <Toolbar label="Data">
      <Segmented
        label="Part of the Data view"
        options={DATA_MODES.map((value) => ({ value, label: MODE_TITLES[value] }))}
        value={mode}
        onChange={(next) => setViewParam('data', 'mode', next === 'values' ? null : next)}
      />
      <p className={styles.note}>
        {mode === 'values'
          ? 'Variables and maps with what they hold when the object is loaded'
          : 'Bytes that you have, or a dump of a map, read by a type of this file'}
      </p>
    </Toolbar>
  );
}
