import type { AccessPath } from '#analysis/core/access-path.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Callout } from '#ui/Callout.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { AccessChips } from './AccessChips.tsx';
import styles from './AccessSection.module.css';
import type { Compared } from './compared.ts';
import { SideHeading } from './SideHeading.tsx';
import { StepSide } from './StepSide.tsx';
import { accessIndices, shownStep } from './selected-core.ts';
import { TargetChips } from './TargetChips.tsx';
import { TargetStep } from './TargetStep.tsx';

type AccessProps = {
  readonly types: TypeTable;
  readonly core: CoreIndex;
  readonly path: AccessPath;
  readonly step: number | null;
  /** null without a target. */
  readonly compared: Compared | null;
};

/** The access string as a row of buttons, and what the one that is looked at means, here and in the target. */
export function AccessSection({ types, core, path, step, compared }: AccessProps) {
  const indices = accessIndices(path);
  const shown = shownStep(path, step);
  const targetPath = compared?.side?.path ?? null;
  return (
    <DetailSection
      title="Access string"
      aside={indices.length > 1 ? '← → walk through it' : undefined}
    >
      <div className={styles.lanes}>
        {targetPath === null ? null : <p className={styles.lane}>this file</p>}
        <AccessChips core={core} path={path} indices={indices} shown={shown} />
        {targetPath === null ? null : (
          <>
            <p className={styles.lane}>target</p>
            <TargetChips local={path} target={targetPath} shown={shown} />
          </>
        )}
      </div>
      <div className={styles.card} data-sides={compared === null ? 1 : 2} aria-live="polite">
        <LocalStep types={types} path={path} shown={shown} isCompared={compared !== null} />
        {compared === null ? null : (
          <TargetStep compared={compared} local={types} path={path} shown={shown} />
        )}
      </div>
    </DetailSection>
  );
}

function LocalStep({
  types,
  path,
  shown,
  isCompared,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly shown: number;
  readonly isCompared: boolean;
}) {
  if (shown < path.steps.length) {
    return (
      <StepSide
        heading={isCompared ? <SideHeading text="This file" /> : null}
        types={types}
        path={path}
        at={shown}
        link={(type) => <TypeLink types={types} type={type} badge />}
      />
    );
  }
  const { error } = path;
  return error !== null && error.atStep >= shown ? (
    <Callout severity="error" title={`Index ${shown} cannot be followed`}>
      {drawnName(error.message)}
    </Callout>
  ) : (
    <p className={styles.words}>The walk ends before this index.</p>
  );
}
