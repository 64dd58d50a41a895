import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { NARROW, useNarrow } from './element-size.tsx';
import styles from './Split.module.css';

type SplitProps = {
  /** Accessible name of the handle, such as "Resize the type list". */
  readonly label: string;
  readonly first: ReactNode;
  /** null: the first alone, which stays as it is when a second comes or goes. */
  readonly second: ReactNode | null;
  readonly orientation?: 'horizontal' | 'vertical';
  /** Per cent of the whole; 50 unless told. */
  readonly firstSize?: number;
  /** CSS pixels; the handle stops there. */
  readonly minFirst?: number;
  readonly minSecond?: number;
  /** On a narrow screen: both under each other, or one of them alone. */
  readonly narrow?: 'stack' | 'first' | 'second';
  /** After the person moved the handle: per cent of the first pane. */
  readonly onResized?: (firstSize: number) => void;
};

/** Two panes with a handle between them, moved by the pointer or by the arrow keys. */
export function Split(props: SplitProps) {
  const { label, first, second, orientation = 'horizontal', firstSize = 50, onResized } = props;
  const { minFirst = 160, minSecond = 160, narrow = 'stack' } = props;
  const isNarrow = useNarrow(NARROW);
  if (isNarrow && narrow === 'first') return <div className={styles.pane}>{first}</div>;
  if (isNarrow && narrow === 'second') return <div className={styles.pane}>{second}</div>;
  const direction = isNarrow ? 'vertical' : orientation;
  return (
    <Group
      // A new direction is a new layout; the library keeps sizes by group.
      key={direction}
      className={styles.group}
      orientation={direction}
      disableCursor
      // So that the panes are laid out once, and not with other sizes before.
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
