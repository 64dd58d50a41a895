import { useMemo, useState } from 'react';
import type { NameHistory } from '#analysis/atlas/history.ts';
import { historyCells, historyColumns } from '#analysis/atlas/history-grid.ts';
import { drawnName } from '#bytes/text.ts';
import { changeOf } from './history-cells.ts';
import { memberStory } from './member-story.ts';
import styles from './StructPicture.module.css';

type StructPictureProps = {
  readonly history: NameHistory;
  /** Kernels of the atlas, the oldest first. */
  readonly kernels: Parameters<typeof historyColumns>[0];
  readonly onOpen: (member: string) => void;
  /** Says where the member under the pointer is in each kernel; null if there is none. */
  readonly onPoint: (story: string | null) => void;
};

/**
 * Draws a struct in each kernel as a row of its members, to scale, with what changes coloured. For
 * the pointer only: the same is in the grid of History.
 */
export function StructPicture({ history, kernels, onOpen, onPoint }: StructPictureProps) {
  const [lit, setLit] = useState<string | null>(null);
  const { forms } = history;
  const columns = useMemo(
    () => historyColumns(kernels, forms, { order: 'version', isFolded: false }),
    [kernels, forms],
  );
  const cellAt = useMemo(() => historyCells(forms, columns), [forms, columns]);
  const most = forms.reduce((size, form) => Math.max(size, form.size ?? 0), 1);
  const share = (bits: number) => `${(100 * bits) / (8 * most)}%`;
  const point = (name: string | null) => {
    setLit(name);
    onPoint(name === null ? null : memberStory(name, { kernels, columns, cellAt }));
  };
  return (
    <div className={styles.rows} aria-hidden="true">
      {columns.map(({ kernels: [kernel = 0], form }, at) => [
        <span key="name" className={styles.kernel}>
          {drawnName(kernels[kernel]?.version ?? '')}
        </span>,
        <div key="bytes" className={styles.bytes}>
          <span
            className={styles.extent}
            style={{ width: share(8 * (forms[form ?? -1]?.size ?? 0)) }}
          />
          {(forms[form ?? -1]?.items ?? []).map(({ name, bitOffset, bits }) => (
            <button
              key={name}
              type="button"
              tabIndex={-1}
              className={styles.member}
              data-tone={changeOf(cellAt(name, at).state)?.tone ?? 'muted'}
              data-lit={lit === name ? '' : undefined}
              style={{ left: share(bitOffset ?? 0), width: share(bits) }}
              onPointerEnter={() => point(name)}
              onPointerLeave={() => point(null)}
              onClick={() => onOpen(name)}
            >
              <span>{drawnName(name)}</span>
            </button>
          ))}
        </div>,
      ])}
    </div>
  );
}
