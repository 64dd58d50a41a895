import type { PointerTarget, Value } from '#analysis/values/decode.ts';
import { drawnName } from '#bytes/text.ts';
import { targetText } from '#print/value-text.ts';
import { select } from '#store/navigation.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './ValueCell.module.css';
import type { ValuePlaces } from './ValueTree.tsx';
import { otherForm, previewText } from './value-preview.ts';
import type { ValueRow } from './value-tree.ts';

type ValueCellProps = {
  readonly part: Value | null;
  readonly row: ValueRow;
  readonly places: ValuePlaces;
};

/** What a part holds, in one line: numbers, enumerators by name, strings, pointers as links. */
export function ValueCell({ part, row, places }: ValueCellProps) {
  if (part === null) {
    const count = (row.rangeEnd ?? row.index) - row.index;
    return <span className={styles.quiet}>{countOf(count, 'element')}</span>;
  }
  const { content } = part;
  switch (content.kind) {
    case 'truncated':
      return <span className={styles.quiet}>the bytes end before it</span>;
    case 'none':
      return <span className={styles.quiet}>no value</span>;
    case 'pointer':
      if (content.target === null) break;
      return <Pointer part={part} target={content.target} places={places} />;
    default:
      break;
  }
  const other = otherForm(part);
  return (
    <span className={styles.cell} data-kind={content.kind}>
      <bdi className={styles.value}>{drawnName(previewText(part))}</bdi>
      {other === '' ? null : <span className={styles.other}>{other}</span>}
    </span>
  );
}

/** What it points at, as a link there, and unless told otherwise a link to the relocation that says so. */
export function Pointer({
  part,
  target,
  places,
  hasRelocation = true,
}: {
  readonly part: Value;
  readonly target: PointerTarget;
  readonly places: ValuePlaces;
  readonly hasRelocation?: boolean;
}) {
  const place = places.placeOf(target);
  const reloc = hasRelocation ? places.relocationOf(part) : null;
  const text = drawnName(targetText(target));
  return (
    <span className={styles.cell}>
      {place === null ? (
        <bdi className={styles.value}>{text}</bdi>
      ) : (
        <button
          type="button"
          className={styles.link}
          title={`Go to ${drawnName(target.name)}`}
          onClick={(event) => {
            event.stopPropagation();
            select(place.selection, place.view);
          }}
        >
          <bdi>{text}</bdi>
        </button>
      )}
      {reloc === null ? null : (
        <button
          type="button"
          className={styles.reloc}
          data-tone="reloc-1"
          title="Show the relocation that fills it"
          onClick={(event) => {
            event.stopPropagation();
            select({ kind: 'relocation', reloc }, 'relocations');
          }}
        >
          reloc
        </button>
      )}
    </span>
  );
}
