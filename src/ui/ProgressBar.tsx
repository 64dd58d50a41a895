import { useId } from 'react';
import { Button } from './Button.tsx';
import styles from './ProgressBar.module.css';

type ProgressBarProps = {
  /** What is being done. */
  readonly label: string;
  /** 0 to 1; null when nobody knows how much is left. */
  readonly fraction: number | null;
  /** Beside the label, such as "12 of 48 MB". */
  readonly detail?: string;
  readonly onCancel?: () => void;
};

/** How far a long job is, with a way out of it. */
export function ProgressBar({ label, fraction, detail, onCancel }: ProgressBarProps) {
  const labelId = useId();
  const percent = fraction === null ? null : Math.round(Math.max(0, Math.min(1, fraction)) * 100);
  return (
    <div className="grid gap-1 wide">
      <div className="gap-3 spread small flex">
        <span id={labelId} className="shrink ellipsis">
          {label}
        </span>
        <span className="rigid muted">{detail ?? (percent === null ? '' : `${percent}%`)}</span>
      </div>
      <div className="row gap-3">
        <div
          role="progressbar"
          className={styles.track}
          aria-labelledby={labelId}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? undefined}
          aria-valuetext={detail}
        >
          <div
            className={styles.bar}
            data-unknown={percent === null}
            style={percent === null ? undefined : { width: `${percent}%` }}
          />
        </div>
        {onCancel === undefined ? null : (
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </div>
  );
}
