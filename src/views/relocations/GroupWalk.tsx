import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { GroupStop, RelocationGroup } from '#analysis/objects/relocation-facts.ts';
import { drawnName } from '#bytes/text.ts';
import type { RelocIndex } from '#model/ids.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { useKeys } from '#ui/keys.tsx';
import { offsetCell } from '#views/parts/Offset.tsx';
import styles from './GroupWalk.module.css';
import { GROUP_KEYS } from './keys.ts';

type GroupWalkProps = {
  readonly group: RelocationGroup;
  /** Index of the current entry in the group; -1 if the group does not contain it. */
  readonly current: number;
};

/** Shows relocation entries that belong together, with buttons and keys to step through them. */
export function GroupWalk({ group, current }: GroupWalkProps) {
  const titleId = useId();
  const { title, about, error, infix, stops } = group;
  const goTo = (index: number) => {
    const stop = stops[index];
    if (stop !== undefined) select(stop.selection);
  };
  useKeys(GROUP_KEYS, (action) => {
    goTo(action === 'next' ? current + 1 : current - 1);
    return true;
  });
  const { start, end } = shownStops(stops.length, current);
  return (
    <Landmark className={styles.group} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h3 id={titleId}>{title}</h3>
        {stops.length < 2 ? null : (
          <div className="row gap-1 at-end">
            <span className="small muted">
              {`${grouped(current + 1)} of ${grouped(stops.length)}`}
            </span>
            <IconButton
              label="Previous in the group"
              keys={['p']}
              size="small"
              icon={ChevronLeft}
              disabled={current <= 0}
              onClick={() => goTo(current - 1)}
            />
            <IconButton
              label="Next in the group"
              keys={['n']}
              size="small"
              icon={ChevronRight}
              disabled={current >= stops.length - 1}
              onClick={() => goTo(current + 1)}
            />
          </div>
        )}
      </div>
      {about === '' ? null : <p className="soft pretty">{about}</p>}
      {error === null ? null : <Callout severity="error" title={drawnName(error)} />}
      {infix.map((text) => (
        <p key={text} className="small mono break rounded pad-2 raised">
          {drawnName(text)}
        </p>
      ))}
      {stops.length < 2 ? null : (
        <ol className="grid" start={start + 1}>
          {stops.slice(start, end).map((stop, i) => (
            <StopLine
              key={`${stop.reloc}:${stop.selection.kind}`}
              stop={stop}
              isCurrent={start + i === current}
            />
          ))}
        </ol>
      )}
    </Landmark>
  );
}

function StopLine({ stop, isCurrent }: { readonly stop: GroupStop; readonly isCurrent: boolean }) {
  return (
    <li>
      <button
        type="button"
        className={styles.stop}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => select(stop.selection)}
      >
        <span className={styles.address}>{offsetCell(stop.address)}</span>
        <span>{stop.role}</span>
      </button>
    </li>
  );
}

/** Returns the index of the selected stop, else of the entry's first stop; -1 if there is none. */
export function stopOfSelection(
  stops: readonly GroupStop[],
  selection: Selection,
  reloc: RelocIndex,
): number {
  const exact = stops.findIndex((stop) => sameSelection(stop.selection, selection));
  return exact >= 0 ? exact : stops.findIndex((stop) => stop.reloc === reloc);
}

/** Maximum number of drawn stops. A larger group is drawn only around its current stop. */
const MAX_SHOWN = 24;

/** Returns the range of stops to draw: `start` to `end` (exclusive). */
export function shownStops(count: number, current: number): { start: number; end: number } {
  if (count <= MAX_SHOWN) return { start: 0, end: count };
  const half = MAX_SHOWN / 2;
  const start = Math.max(0, Math.min(current - half, count - MAX_SHOWN));
  return { start, end: start + MAX_SHOWN };
}
