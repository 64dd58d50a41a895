import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { NARROW, useNarrow } from './element-size.tsx';
import styles from './Split.module.css';

type SplitProps = {
  /** Accessible name of the handle, such as "Resize the type list". */
  readonly label: string;
  readonly first: ReactNode;
  /** null: the first pane alone, which keeps its state when a second appears. */
  readonly second: ReactNode | null;
  readonly orientation?: 'horizontal' | 'vertical';
  /** Per cent of the whole, by default 50. */
  readonly firstSize?: number;
  /** CSS pixels at which the handle stops. */
  readonly minFirst?: number;
  readonly minSecond?: number;
  /** On a narrow screen: both panes stacked, or one of them. */
  readonly narrow?: 'stack' | 'first' | 'second';
  /** Called with the first pane's size in per cent after the person moved the handle. */
  readonly onResized?: (firstSize: number) => void;
};

/** Draws two panes with a handle between them, for the pointer and the arrow keys. */
export function Split(props: SplitProps) {
  const { label, first, second, orientation = 'horizontal', firstSize = 50, onResized } = props;
  const { minFirst = 160, minSecond = 160, narrow = 'stack' } = props;
  const isNarrow = useNarrow(NARROW);
  if (isNarrow && narrow === 'first') return <div className={styles.pane}>{first}</div>;
  if (isNarrow && narrow === 'second') return <div className={styles.pane}>{second}</div>;
  const direction = isNarrow ? 'vertical' : orientation;
  return (
    <Group
      // The library keeps sizes per group.
      key={direction}
      className={styles.group}
      orientation={direction}
      disableCursor
      // Lays out the panes once, without a first layout of other sizes.
      {...(second === null ? {} : { defaultLayout: { first: firstSize, second: 100 - firstSize } })}
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
