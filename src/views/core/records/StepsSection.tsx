import type { AccessPath, AccessStep, StepMeaning } from '#analysis/core/access-path.ts';
import { accessExpression } from '#analysis/core/access-text.ts';
import { bitPlace } from '#analysis/core/access-words.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { shownStep } from '#views/core/parts/access-indices.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './StepsSection.module.css';
import { targetStepOf } from './target-side.ts';

const MEANINGS: Readonly<Record<StepMeaning, string>> = {
  'element-of-pointer': 'pointed-to element',
  member: 'member',
  'anonymous-member': 'anonymous member',
  'array-element': 'array element',
  enumerator: 'enumerator',
  type: 'the type itself',
};

type StepsSectionProps = {
  readonly types: TypeTable;
  readonly core: CoreIndex;
  readonly path: AccessPath;
  readonly step: number | null;
  /** The path in the target; null without one. */
  readonly target: AccessPath | null;
};

/** All steps of the access under each other. */
export function StepsSection({ types, core, path, step, target }: StepsSectionProps) {
  if (path.steps.length < 2) return null;
  const shown = shownStep(path, step);
  const rows = path.steps.map((taken, at) => ({ at, taken }));
  return (
    <DetailSection title="Step by step">
      <div className={styles.scroller} {...scrollRegion('Steps of the access')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Index</th>
              <th scope="col">Picks</th>
              <th scope="col">Type</th>
              <th scope="col">Offset</th>
              {target === null ? null : <th scope="col">In the target</th>}
              <th scope="col">In C</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, taken }) => (
              <tr key={at} data-shown={at === shown}>
                <td>
                  <button
                    type="button"
                    className={styles.index}
                    aria-label={`Select index ${at}: ${taken.index}`}
                    aria-current={at === shown ? 'step' : undefined}
                    onClick={() => select({ kind: 'core', core, step: at })}
                  >
                    {taken.index}
                  </button>
                </td>
                <td>{MEANINGS[taken.means]}</td>
                <td>
                  <TypeLink types={types} type={taken.type} />
                </td>
                <td className="mono">{bitPlace(taken.bitOffset)}</td>
                {target === null ? null : (
                  <TargetPlace own={taken} target={target} at={targetStepOf(path, target, at)} />
                )}
                <td className="mono">
                  {drawnName(accessExpression(types, path.root, path.steps.slice(0, at + 1)))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </DetailSection>
  );
}

type TargetPlaceProps = {
  readonly own: AccessStep;
  readonly target: AccessPath;
  /** The target's step, null where it does not come so far. */
  readonly at: number | null;
};

function TargetPlace({ own, target, at }: TargetPlaceProps) {
  const step = at === null ? undefined : target.steps[at];
  if (step === undefined) return <td className={styles.gone}>absent</td>;
  const isSame = step.bitOffset === own.bitOffset;
  return (
    <td className="mono" data-differs={!isSame}>
      {isSame ? 'same' : bitPlace(step.bitOffset)}
    </td>
  );
}
