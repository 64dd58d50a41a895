import { memo, useMemo } from 'react';
import { type Reference, referencesOf } from '#analysis/types/references.ts';
import { addTo } from '#bytes/cache.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './ReferencesSection.module.css';

const REFERRERS = 200;
const REFERENCES = 2000;
const SHOWN_TARGETS = 200;

type ReferencesSectionProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
};

/** Shows the types that a type refers to, and the types that refer to it. */
export const ReferencesSection = memo(function ReferencesSection(props: ReferencesSectionProps) {
  return (
    <>
      <RefersTo types={props.types} type={props.type} />
      <ReferredToBy {...props} />
    </>
  );
});

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
  // Until the answer arrives, its value is that of the previous type.
  const referrers = answer.step === 'ready' ? answer.value : null;
  const groups = useMemo(
    () => (referrers === null ? [] : groupByKind(types, referrers.ids)),
    [types, referrers],
  );
  if (answer.step === 'failed') {
    return (
      <DetailSection title="Referred to by">
        <p className="small muted">{answer.issue.message}</p>
      </DetailSection>
    );
  }
  return (
    <DetailSection
      title="Referred to by"
      aside={referrers === null ? 'Searching…' : countOf(referrers.total, 'type')}
    >
      {referrers?.total === 0 ? (
        <p className="small muted">No other type refers to this type.</p>
      ) : null}
      {groups.map(({ kind, ids }) => (
        <div key={kind} className={styles.group}>
          <h4 className={styles.kind}>
            {kindStyle(kind).name} <span className="muted">{grouped(ids.length)}</span>
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
      <More count={referrers === null ? 0 : referrers.total - referrers.ids.length} />
    </DetailSection>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p className="small muted">and {grouped(count)} more</p> : null;
}

/**
 * Returns the types in the first `limit` references of `id`, except void. `as` names the references
 * in the order of the record: member names, `return`, `param 1` …. Not escaped.
 */
export function targetsOf(types: TypeTable, id: TypeId, limit: number) {
  const roles = new Map<TypeId, string[]>();
  for (const reference of referencesOf(types, id, limit)) {
    if (reference.type === VOID) continue;
    addTo(roles, reference.type, roleOf(reference));
  }
  return [...roles].map(([type, as]) => ({ type, as }));
}

/** Maximum number of characters of a name, so that three names fit into a line. */
const MAX_NAME = 120;

function roleOf(reference: Reference): string {
  const { role, index } = reference;
  switch (role) {
    case 'member':
      return reference.name.slice(0, MAX_NAME) || `member ${index}`;
    case 'param':
      return reference.name.slice(0, MAX_NAME) || `param ${index}`;
    // Needs no text: the link shows the name of the variable.
    case 'var':
    case 'type':
      return '';
    default:
      return role;
  }
}

const SHOWN_ROLES = 3;

/** Returns the names in one text: `a, b, c and 4 more`; empty without names. */
export function rolesText(as: readonly string[]): string {
  const named = as.filter((role) => role !== '');
  const text = named.slice(0, SHOWN_ROLES).join(', ');
  return named.length > SHOWN_ROLES ? `${text} and ${named.length - SHOWN_ROLES} more` : text;
}

type KindGroup = { readonly kind: number; readonly ids: readonly TypeId[] };

/** Groups types by kind. The largest group is first. */
export function groupByKind(types: TypeTable, ids: Iterable<number>): KindGroup[] {
  const groups = new Map<number, TypeId[]>();
  for (const id of ids) {
    addTo(groups, kindOf(types, typeId(id)), typeId(id));
  }
  return [...groups]
    .map(([kind, members]) => ({ kind, ids: members }))
    .sort(
      (a, b) =>
        b.ids.length - a.ids.length || (kindStyle(a.kind).name < kindStyle(b.kind).name ? -1 : 1),
    );
}
