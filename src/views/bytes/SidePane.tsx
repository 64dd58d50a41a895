import { type ReactNode, useState } from 'react';
import { Segmented } from '#ui/Segmented.tsx';
import styles from './SidePane.module.css';

type Pane = 'first' | 'second';

type SidePaneProps = {
  /** Accessible name of the pane and of its choice. */
  readonly label: string;
  readonly first: string;
  readonly second: string;
  readonly render: (pane: Pane) => ReactNode;
};

/** A pane beside the bytes that shows one of two things. */
export function SidePane({ label, first, second, render }: SidePaneProps) {
  const [pane, setPane] = useState<Pane>('first');
  return (
    <nav className={styles.pane} aria-label={label}>
      <div className={styles.choice}>
        <Segmented
          label={label}
          options={[
            { value: 'first', label: first },
            { value: 'second', label: second },
          ]}
          value={pane}
          onChange={setPane}
        />
      </div>
      <div className={styles.content}>{render(pane)}</div>
    </nav>
  );
}
