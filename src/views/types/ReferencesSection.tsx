import { useMemo } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { grouped } from '#ui/grouped.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { countOf } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { DetailSection } from './DetailSection.tsx';
import styles from './ReferencesSection.module.css';
import { groupByKind, rolesText, targetsOf } from './reference-lists.ts';

const REFERRERS = 200;
const REFERENCES = 2000;
const SHOWN_TARGETS = 200;

type ReferencesSectionProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
};

/** The neighbours of a type, both ways. */
export function ReferencesSection(props: ReferencesSectionProps) {
  return (
    <>
      <RefersTo types={props.types} type={props.type} />
      <ReferredToBy {...props} />
    </>
  );
}

function RefersTo({ types, type }: Omit<ReferencesSectionProps, 'fileId'>) {
  const targets = useMemo(() => targetsOf(types, type, REFERENCES), [types, type]);
  if (targets.length === 0) return null;
  const shown = targets.slice(0, SHOWN_TARGETS);
  return (
    <DetailSection title="Refers to" aside={countOf(targets.length, 'type')}>
      <ul className={styles.list}>
        {shown.map((target) => (
          <li key={target.type} className={styles.item}>
            <TypeLink types={types} type={target.type} badge />
            <span className={styles.as}>{drawnName(rolesText(target.as))}</span>
          </li>
        ))}
      </ul>
      <More count={targets.length - shown.length} />
    </DetailSection>
  );
}

function ReferredToBy({ fileId, types, type }: ReferencesSectionProps) {
  const answer = useAnswer(fileId, 'referrers', { type, limit: REFERRERS });
  // While the answer is on its way the last one is that of another type.
  const found = answer.step === 'ready' ? answer.value : null;
  const groups = useMemo(
    () => (found === null ? [] : groupByKind(types, found.ids)),
    [types, found],
  );
  if (answer.step === 'failed') {
    return (
      <DetailSection title="Referred to by">
        <p className={styles.none}>{answer.issue.message}</p>
      </DetailSection>
    );
  }
  return (
    <DetailSection
      title="Referred to by"
      aside={found === null ? 'Looking…' : countOf(found.total, 'type')}
    >
      {found?.total === 0 ? (
        <p className={styles.none}>No other type of this file refers to it.</p>
      ) : null}
      {groups.map(({ kind, ids }) => (
        <div key={kind} className={styles.group}>
          <h4 className={styles.kind}>
            {kindStyle(kind).name} <span className={styles.count}>{grouped(ids.length)}</span>
          </h4>
          <ul className={styles.list}>
            {ids.map((id) => (
              <li key={id} className={styles.item}>
                <TypeLink types={types} type={id} badge />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <More count={found === null ? 0 : found.total - found.ids.length} />
    </DetailSection>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p className={styles.none}>and {grouped(count)} more</p> : null;
}
