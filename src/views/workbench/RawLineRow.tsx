import type { Change } from '#analysis/workbench/changes.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { ChangeSign } from './ChangeSign.tsx';
import styles from './panes.module.css';
import { headParts, type RawLine } from './raw-lines.ts';

type RawLineRowProps = {
  readonly types: TypeTable;
  readonly line: RawLine;
  readonly change: Change | null;
  readonly isPointed: boolean;
};

/** A line of the raw text, its kind in colour. */
export function RawLineRow({ types, line, change, isPointed }: RawLineRowProps) {
  const head = headParts(line);
  return (
    <span
      className={styles.row}
      data-item={line.item !== null}
      data-change={change ?? undefined}
      data-pointed={isPointed}
      title={line.text}
    >
      <ChangeSign change={change} />
      {head === null ? (
        <span className={styles.code}>{line.text}</span>
      ) : (
        <span className={styles.code}>
          <span className="soft">{head.id}</span>{' '}
          <span className={styles.kind} data-tone={kindStyle(kindOf(types, line.type)).tone}>
            {head.kind}
          </span>{' '}
          {head.rest}
        </span>
      )}
    </span>
  );
}
