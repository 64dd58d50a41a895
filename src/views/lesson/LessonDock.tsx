import { useEffect, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { useMediaQuery } from '#ui/ViewWidth.tsx';
import styles from './LessonDock.module.css';
import { LessonPanel } from './LessonPanel.tsx';

/** CSS pixels under which there is no room beside the tool: the lesson stands under it. */
const NARROW = '(max-width: 1023px)';

const WIDTH = 400;
const MIN_WIDTH = 300;
const MIN_TOOL = 320;

/**
 * Where the lesson stands: at the right of the tool behind a handle, or as a sheet
 * under it. `onShare` is told how much of the width the tool has, in per cent.
 */
export function LessonDock({ onShare }: { readonly onShare: (share: number | null) => void }) {
  const isPresenting = useLesson((state) => state.isPresenting);
  const isNarrow = useMediaQuery(NARROW) || isPresenting;
  useEffect(() => () => onShare(null), [onShare]);
  useEffect(() => {
    if (isNarrow) onShare(null);
  }, [isNarrow, onShare]);
  return isNarrow ? <Sheet /> : <Beside onShare={onShare} />;
}

function Sheet() {
  const [isFolded, setFolded] = useState(false);
  return (
    <div className={styles.sheet} data-folded={isFolded ? '' : undefined}>
      <LessonPanel fold={{ isFolded, onFold: setFolded }} />
    </div>
  );
}

/**
 * Lies over the whole frame, so that the library which knows widths and keys of the
 * handle need not hold the tool: its place is an empty panel that lets all through.
 */
function Beside({ onShare }: { readonly onShare: (share: number) => void }) {
  return (
    <Group
      className={styles.group}
      orientation="horizontal"
      disableCursor
      onLayoutChange={({ tool }) => {
        if (tool !== undefined) onShare(tool);
      }}
    >
      <Panel id="tool" className={styles.hole} minSize={MIN_TOOL} />
      <Separator className={styles.handle} aria-label="Resize the lesson" />
      <Panel
        id="lesson"
        className={styles.panel}
        defaultSize={WIDTH}
        minSize={MIN_WIDTH}
        maxSize="60%"
      >
        <LessonPanel />
      </Panel>
    </Group>
  );
}
