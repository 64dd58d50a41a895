import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { IconButton } from '#ui/Button.tsx';
import { Chip } from '#ui/Chip.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import styles from './DrawingControls.module.css';
import type { LineBytes } from './line-bytes.ts';

const LINES: readonly { readonly value: LineBytes; readonly label: string }[] = [
  { value: '8', label: '8' },
  { value: '16', label: '16' },
  { value: '64', label: '64' },
];

type DrawingControlsProps = {
  readonly lineBytes: LineBytes;
  readonly onLineBytes: (lineBytes: LineBytes) => void;
  readonly hasHoles: boolean;
  readonly onlyHoles: boolean;
  readonly onOnlyHoles: (onlyHoles: boolean) => void;
  readonly onUnfoldAll?: () => void;
  readonly onFoldAll?: () => void;
};

/** What the drawing shows, and how wide. */
export function DrawingControls(props: DrawingControlsProps) {
  const { lineBytes, onLineBytes, hasHoles, onlyHoles, onOnlyHoles } = props;
  const { onUnfoldAll, onFoldAll } = props;
  return (
    <div className={styles.controls}>
      <span className={styles.label} aria-hidden="true">
        Bytes a line
      </span>
      <Segmented label="Bytes a line" options={LINES} value={lineBytes} onChange={onLineBytes} />
      {hasHoles ? (
        <Chip
          tone={onlyHoles ? 'accent' : 'muted'}
          isPressed={onlyHoles}
          onClick={() => onOnlyHoles(!onlyHoles)}
        >
          Only holes
        </Chip>
      ) : null}
      {onUnfoldAll === undefined || onFoldAll === undefined ? null : (
        <span className={styles.end}>
          <IconButton
            label="Unfold all"
            icon={<ChevronsUpDown size={15} aria-hidden />}
            onClick={onUnfoldAll}
          />
          <IconButton
            label="Fold all"
            icon={<ChevronsDownUp size={15} aria-hidden />}
            onClick={onFoldAll}
          />
        </span>
      )}
    </div>
  );
}
