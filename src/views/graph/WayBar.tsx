import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import { select } from '#store/navigation.ts';
import { Chip } from '#ui/Chip.tsx';
import type { GraphSubject } from './graph-subject.ts';
import styles from './WayBar.module.css';

type WayBarProps = {
  readonly core: CoreIndex;
  readonly way: NonNullable<GraphSubject['way']>;
  readonly step: number | null;
};

/** The access string of the selected CO-RE record: each number lights its edge. */
export function WayBar({ core, way, step }: WayBarProps) {
  return (
    <div role="toolbar" aria-label="Access string" className={styles.bar}>
      <span className={styles.word}>CO-RE access string</span>
      {way.map(({ step: at, text, name }) => (
        <Chip
          key={at}
          isMono
          tone={at === step ? 'reloc-3' : 'neutral'}
          isPressed={at === step}
          onClick={() => select({ kind: 'core', core, step: at === step ? null : at })}
        >
          {drawnName(`${text} ${name}`.trim())}
        </Chip>
      ))}
    </div>
  );
}
