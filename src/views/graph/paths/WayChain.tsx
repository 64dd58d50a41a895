import type { DescribedPath, PathStep } from '#analysis/paths/describe-path.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { hopNotes, placeText } from './paths-words.ts';
import styles from './WayChain.module.css';

/** The way as boxes and arrows: a box for each object in memory, an arrow for each access. */
export function WayChain({
  types,
  way,
}: {
  readonly types: TypeTable;
  readonly way: DescribedPath;
}) {
  return (
    <ol className={styles.chain} aria-label="Accesses">
      <li className={styles.link}>
        <TypeBox types={types} type={way.start} isEnd={false} />
      </li>
      {way.steps.map((hop, i) => {
        const isLast = i === way.steps.length - 1;
        return (
          <li key={`${hop.root}:${hop.accessStr}:${hop.to}`} className={styles.link}>
            <HopArrow types={types} hop={hop} through={way.through} />
            <TypeBox types={types} type={hop.to} isEnd={isLast} />
          </li>
        );
      })}
    </ol>
  );
}

function TypeBox({
  types,
  type,
  isEnd,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly isEnd: boolean;
}) {
  const text = drawnName(typeExpression(types, type));
  if (type === 0) return <span className={styles.box}>{text}</span>;
  return (
    <button
      type="button"
      className={styles.box}
      data-end={isEnd}
      title={`Show ${text} under Types`}
      onClick={() => select(typeSelection(type), 'types')}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <bdi className="ellipsis">{text}</bdi>
    </button>
  );
}

function HopArrow({
  types,
  hop,
  through,
}: {
  readonly types: TypeTable;
  readonly hop: PathStep;
  readonly through: DescribedPath['through'];
}) {
  const field = hop.field === '' ? '(anonymous)' : drawnName(hop.field);
  const isContainer = hop.kind === 'container';
  const root = drawnName(typeExpression(types, hop.root));
  const notes = hopNotes(hop, through).map(drawnName);
  return (
    <button
      type="button"
      className={styles.arrow}
      data-kind={hop.beyond.length === 0 && !isContainer ? 'value' : hop.kind}
      title={[`Show this member of ${root} under Types`, ...notes].join('\n')}
      onClick={() => select(typeSelection(hop.root, hop.memberPath), 'types')}
    >
      <span className={styles.field}>
        <span className={styles.sign}>{isContainer ? 'container_of' : '.'}</span>
        <bdi className={styles.member}>{isContainer ? ` ${field}` : field}</bdi>
        {hop.throughUnion ? <span className={styles.mark}>union</span> : null}
        {hop.tags.map((tag) => (
          <span key={tag} className={styles.mark}>
            {drawnName(tag)}
          </span>
        ))}
      </span>
      <span className={styles.line} aria-hidden />
      <span className={styles.place}>{placeText(hop)}</span>
    </button>
  );
}
