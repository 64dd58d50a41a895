import { memo } from 'react';
import { grouped } from '#ui/grouped.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import styles from './GraphBox.module.css';
import { BOX_WIDTH, type Box, HEADER_HEIGHT, ROW_HEIGHT } from './graph-boxes.ts';
import { fitText } from './text-fit.ts';

const PAD = 9;
const BADGE = 22;
const NAME_SIZE = 12;
const ROW_SIZE = 11;
const CHARACTER = 7;

type GraphBoxProps = { readonly box: Box; readonly id: string; readonly isSelected: boolean };

/** A type in the graph: its kind and name, its size, and some of its members. */
export const GraphBox = memo(function GraphBox({ box, id, isSelected }: GraphBoxProps) {
  const { letter, tone, name: kindName } = kindStyle(box.kind);
  const sizeWidth = box.size.length * CHARACTER;
  const nameWidth = BOX_WIDTH - 2 * PAD - BADGE - 6 - sizeWidth - (sizeWidth > 0 ? 8 : 0);
  const baseline = HEADER_HEIGHT / 2 + 4;
  return (
    <g
      id={id}
      data-type={box.type}
      data-tone={tone}
      className={styles.box}
      role="option"
      tabIndex={isSelected ? 0 : -1}
      aria-selected={isSelected}
      aria-label={`${kindName} ${box.name}${box.size === '' ? '' : `, ${box.size} bytes`}`}
      transform={`translate(${box.x} ${box.y})`}
    >
      <title>{`${kindName} ${box.name}`}</title>
      <rect className={styles.frame} width={BOX_WIDTH} height={box.height} rx="6" />
      <rect className={styles.badge} x={PAD} y={7} width={BADGE} height={16} rx="3" />
      <text className={styles.letter} x={PAD + BADGE / 2} y={baseline} textAnchor="middle">
        {letter}
      </text>
      <text className={styles.name} x={PAD + BADGE + 6} y={baseline}>
        {fitText(box.name, nameWidth, NAME_SIZE)}
      </text>
      <text className={styles.size} x={BOX_WIDTH - PAD} y={baseline} textAnchor="end">
        {box.size}
      </text>
      {box.rows.length === 0 ? null : <Rows box={box} />}
    </g>
  );
});

function Rows({ box }: { readonly box: Box }) {
  const y = (row: number) => HEADER_HEIGHT + 2 + (row + 0.5) * ROW_HEIGHT + 4;
  return (
    <>
      <path className={styles.line} d={`M0 ${HEADER_HEIGHT}H${BOX_WIDTH}`} />
      {box.rows.map(({ index, name }, row) => (
        <text key={index} className={styles.row} x={PAD} y={y(row)}>
          {fitText(name, BOX_WIDTH - 2 * PAD, ROW_SIZE)}
        </text>
      ))}
      {box.rowsLeftOut === 0 ? null : (
        <text className={styles.more} x={PAD} y={y(box.rows.length)}>
          … {grouped(box.rowsLeftOut)} more
        </text>
      )}
    </>
  );
}
