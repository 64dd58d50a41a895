import { type ReactNode, useId } from 'react';
import { Button } from './Button.tsx';
import styles from './bars.module.css';
import { grouped } from './grouped.ts';
import type { Tone } from './tone.ts';

export type HistogramItem = {
  readonly id: string;
  readonly label: string;
  /** Length of the bar, 0 or more. */
  readonly value: number;
  /** Text of the value, by default the number with grouped digits. */
  readonly valueText?: string;
  readonly tone?: Tone;
  /** Content before the label, such as a badge. */
  readonly mark?: ReactNode;
};

type HistogramProps = {
  readonly label: string;
  readonly items: readonly HistogramItem[];
  /** Called with the id of a clicked line. With this function each line is a button. */
  readonly onSelect?: (id: string) => void;
};

/** Draws a list of values as horizontal bars. */
export function Histogram({ label, items, onSelect }: HistogramProps) {
  const largest = items.reduce((max, item) => Math.max(max, item.value), 0);
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => {
        const content = <Line item={item} share={largest === 0 ? 0 : item.value / largest} />;
        return (
          <li key={item.id}>
            {onSelect === undefined ? (
              <div className={styles.line}>{content}</div>
            ) : (
              <button type="button" className={styles.line} onClick={() => onSelect(item.id)}>
                {content}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Line({ item, share }: { readonly item: HistogramItem; readonly share: number }) {
  return (
    <>
      <span className="row gap-2 shrink">
        {item.mark}
        <span className="shrink ellipsis">{item.label}</span>
      </span>
      <span aria-hidden className={styles.track}>
        <span
          className={styles.bar}
          data-tone={item.tone ?? 'accent'}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className={styles.value}>{item.valueText ?? grouped(item.value)}</span>
    </>
  );
}

type ProgressBarProps = {
  /** Name of the running task. */
  readonly label: string;
  /** Completed part of the task, 0 to 1; null if the total is unknown. */
  readonly fraction: number | null;
  /** Text beside the label, such as "12 of 48 MB". */
  readonly detail?: string;
  readonly onCancel?: () => void;
};

/** Draws the progress of a long task, with the button *Cancel*. */
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
          className={styles.progressBarTrack}
          aria-labelledby={labelId}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? undefined}
          aria-valuetext={detail}
        >
          <div
            className={styles.progressBarBar}
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
