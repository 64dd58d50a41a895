import { setFreshCandidates, useCoreView } from '#store/core-view.ts';
import { Tooltip } from '#ui/Tooltip.tsx';
import styles from './FreshSwitch.module.css';

const ABOUT =
  'libbpf keeps one list of candidates for each local type and cuts it to those that matched, so that earlier records change later results. Switched on, every record starts with the whole list.';

/** Whether every record gets a fresh list of candidates, which is not what libbpf does. */
export function FreshSwitch() {
  const fresh = useCoreView((state) => state.fresh);
  return (
    <Tooltip text={ABOUT}>
      <label className={styles.label}>
        <input
          type="checkbox"
          checked={fresh}
          className={styles.box}
          onChange={(event) => setFreshCandidates(event.target.checked)}
        />
        Fresh candidates for each record
      </label>
    </Tooltip>
  );
}
