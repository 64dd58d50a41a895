import { declaredLine } from '#analysis/compare/comparison-text.ts';
import type { TypeLine } from '#analysis/compare/type-lines.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './lock-lines.module.css';

/** One side of a line: its declaration, as deep as it stands. Hatched where the side has no such line. */
export function LineCell({
  types,
  line,
  tone,
}: {
  readonly types: TypeTable;
  readonly line: TypeLine | null;
  /** null for a line that is not marked. */
  readonly tone: StatusTone | null;
}) {
  if (line === null) return <div className={styles.line} data-none="" />;
  const { before, name, after } = declaredLine(types, line);
  const text = drawnName(`${before}${name}${after}`);
  const gap = name !== '' && /[\w}]$/.test(before) && line.opens === null ? ' ' : '';
  return (
    <div className={styles.line} data-tone={tone ?? undefined} title={text}>
      <span style={{ width: line.depth * 14 }} />
      <bdi className={styles.declaration}>
        <span className={styles.around}>{`${drawnName(before)}${gap}`}</span>
        <span className={styles.name}>{drawnName(name)}</span>
        <span className={styles.behind}>{drawnName(after)}</span>
      </bdi>
    </div>
  );
}
