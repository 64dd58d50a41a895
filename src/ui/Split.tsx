import { type ReactNode, useContext } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { NARROW, useNarrow } from './element-size.tsx';
import { PresentingContext } from './presenting.ts';
import styles from './Split.module.css';

type SplitProps = {
  /** Accessible name of the handle between the panes, such as "Resize the type list". */
  readonly label: string;
  readonly first: ReactNode;
  /** Second pane; null to show the first pane alone. The first pane keeps its state. */
  readonly second: ReactNode | null;
  readonly orientation?: 'horizontal' | 'vertical';
  /** Size of the first pane in per cent, by default 50. */
  readonly firstSize?: number;
  /** Minimum size of the first pane in CSS pixels. */
  readonly minFirst?: number;
  readonly minSecond?: number;
  /** What a narrow screen shows: both panes stacked, or only one of them. */
  readonly narrow?: 'stack' | 'first' | 'second';
  /** Pane that an audience sees; by default the one of a narrow screen, or the first. */
  readonly presents?: 'first' | 'second';
  /** Called with the size of the first pane in per cent after the user moves the handle. */
  readonly onResized?: (firstSize: number) => void;
};

/** Layout of the first pane alone, in per cent. */
const ALONE = { first: 100 };

/** Draws two panes with a handle that the pointer and the arrow keys move. */
export function Split(props: SplitProps) {
  const { label, first, second, orientation = 'horizontal', firstSize = 50, onResized } = props;
  const { minFirst = 160, minSecond = 160, narrow = 'stack' } = props;
  const isNarrow = useNarrow(NARROW);
  const isPresenting = useContext(PresentingContext);
  if (isPresenting) {
    const { presents = narrow === 'second' ? 'second' : 'first' } = props;
    return <div className={styles.pane}>{presents === 'second' ? second : first}</div>;
  }
  if (isNarrow && narrow === 'first') return <div className={styles.pane}>{first}</div>;
  if (isNarrow && narrow === 'second') return <div className={styles.pane}>{second}</div>;
  const direction = isNarrow ? 'vertical' : orientation;
  return (
    <Group
      // The library stores pane sizes per group: each direction needs its own sizes.
      key={direction}
      className={styles.group}
      orientation={direction}
      disableCursor
      // Without this property the library would first lay out the panes with other sizes.
      defaultLayout={second === null ? ALONE : { first: firstSize, second: 100 - firstSize }}
      onLayoutChanged={(layout, { isUserInteraction }) => {
        const { first: size } = layout;
        if (isUserInteraction && size !== undefined) onResized?.(size);
      }}
    >
      <Panel id="first" className={styles.pane} defaultSize={`${firstSize}%`} minSize={minFirst}>
        {first}
      </Panel>
      {second === null ? null : (
        <>
          <Separator className={styles.handle} aria-label={label} />
          <Panel id="second" className={styles.pane} minSize={minSecond}>
            {second}
          </Panel>
        </>
      )}
    </Group>
  );
}
