import type { ReactNode } from 'react';
import type { AccessPath } from '#analysis/core/access-path.ts';
import { accessExpression } from '#analysis/core/access-text.ts';
import { bitPlace } from '#analysis/core/access-words.ts';
import { visible } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { AccessChips } from './AccessChips.tsx';
import styles from './AccessSection.module.css';
import { EnumeratorList } from './EnumeratorList.tsx';
import { LayoutStrip } from './LayoutStrip.tsx';
import { accessIndices, shownStep } from './selected-core.ts';
import { stripOf } from './strip-parts.ts';

type AccessProps = {
  readonly types: TypeTable;
  readonly core: CoreIndex;
  readonly path: AccessPath;
  readonly step: number | null;
};

/** The access string as a row of buttons, and what the one that is looked at means. */
export function AccessSection({ types, core, path, step }: AccessProps) {
  const indices = accessIndices(path);
  const shown = shownStep(path, step);
  return (
    <DetailSection
      title="Access string"
      aside={indices.length > 1 ? '← → walk through it' : undefined}
    >
      <AccessChips core={core} path={path} indices={indices} shown={shown} />
      <StepCard types={types} path={path} shown={shown} />
    </DetailSection>
  );
}

function StepCard({
  types,
  path,
  shown,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly shown: number;
}) {
  const step = path.steps[shown];
  if (step === undefined) {
    const { error } = path;
    return error !== null && error.atStep >= shown ? (
      <Callout severity="error" title={`Index ${shown} cannot be followed`}>
        {visible(error.message)}
      </Callout>
    ) : (
      <p className={styles.words}>The walk ends before this index.</p>
    );
  }
  const strip = stripOf(types, step);
  const isField = step.means !== 'enumerator' && step.means !== 'type';
  return (
    <div className={styles.card} aria-live="polite">
      <p className={styles.words}>{visible(step.words)}</p>
      <dl className={styles.facts}>
        <Fact term="Type">
          <TypeLink types={types} type={step.type} badge />
        </Fact>
        {isField ? (
          <Fact term="Offset so far">
            <span className={styles.number}>
              {bitPlace(step.bitOffset)}
              <span className={styles.quiet}> · bit {grouped(step.bitOffset)}</span>
            </span>
          </Fact>
        ) : null}
        {step.enumValue === null ? null : (
          <Fact term="Value">
            <span className={styles.number}>{`${step.enumValue}`}</span>
          </Fact>
        )}
        <Fact term="In C so far">
          <code>{visible(accessExpression(types, path.root, path.steps.slice(0, shown + 1)))}</code>
        </Fact>
      </dl>
      {strip === null ? null : <LayoutStrip strip={strip} />}
      {step.means === 'enumerator' ? <EnumeratorList types={types} step={step} /> : null}
    </div>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
