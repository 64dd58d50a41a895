import { CircleAlert } from 'lucide-react';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { LineText } from './LineText.tsx';
import styles from './line-columns.module.css';
import { isFailure, SOURCE_NAMES } from './log-facts.ts';
import { lineParts, type TargetTypes } from './log-parts.ts';

/** Number, speaker and text of a line; lines that are not known are grey. */
export function lineColumns(
  model: ObjectModel,
  lineAt: (index: number) => LogLine | undefined,
  link: (line: LogLine) => LineLink | null,
  target: TargetTypes | null,
): TableColumn[] {
  const column = (
    id: string,
    header: string,
    width: number,
    cell: (line: LogLine) => ReturnType<TableColumn['cell']>,
  ): TableColumn => ({
    id,
    header,
    width,
    cell: (index) => {
      const line = lineAt(index);
      return line === undefined ? null : cell(line);
    },
  });
  return [
    {
      ...column('number', 'Line', 64, ({ lineNumber }) => (
        <span className={styles.number}>{grouped(lineNumber + 1)}</span>
      )),
      align: 'end',
      mono: true,
    },
    column('source', 'From', 104, (line) => <Source line={line} />),
    {
      ...column('text', 'Text', 480, (line) => (
        <span className={line.event === null ? styles.unknown : undefined}>
          <LineText parts={lineParts(model, line, link(line), target)} />
        </span>
      )),
      grow: 1,
      mono: true,
    },
  ];
}

function Source({ line }: { readonly line: LogLine }) {
  if (line.event === null || line.source === null) {
    return <span className={styles.unknown}>not known</span>;
  }
  const name = SOURCE_NAMES[line.source];
  if (!isFailure(line)) return <span className={styles.source}>{name}</span>;
  return (
    <span className={styles.failure} data-tone="danger" title="Tells of a failure">
      <CircleAlert size={13} role="img" aria-label="Failure" />
      {name}
    </span>
  );
}
