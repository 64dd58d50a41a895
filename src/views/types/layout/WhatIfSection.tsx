import { useMemo } from 'react';
import { type WhatIf, whatIf } from '#analysis/layout/what-if.ts';
import type { TypeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { Callout } from '#ui/Callout.tsx';
import styles from './LayoutSection.module.css';
import { Proposal } from './Proposal.tsx';
import { CAVEAT, verdictOf } from './what-if-words.ts';

export type WhatIfSectionProps = {
  readonly types: TypeTable;
  /** The selected type: a struct or union, or what stands for one. */
  readonly type: TypeId;
  /** The struct or union itself. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

/** What if the members stood in another order: fewer bytes, or why not. */
export function WhatIfSection(props: WhatIfSectionProps) {
  const { types, composite } = props;
  const outcome = useMemo<WhatIf>(() => whatIf(types, composite), [types, composite]);
  const verdict = useMemo(() => {
    const members = outcome.kind === 'smaller' ? membersOf(types, composite) : [];
    return verdictOf(outcome, sizeOrTypeOf(types, composite), members);
  }, [outcome, types, composite]);
  return (
    <section className={styles.layout} aria-labelledby="what-if-heading">
      <h3 id="what-if-heading" className="visually-hidden">
        What if the order were another
      </h3>
      <Callout severity="note" title={verdict.title}>
        {verdict.text}
      </Callout>
      {outcome.kind === 'smaller' ? <Proposal {...props} proposal={outcome} /> : null}
      {outcome.kind === 'smaller' ? <p className={styles.note}>{CAVEAT}</p> : null}
    </section>
  );
}
