import { type KeyboardEvent, type ReactNode, useContext, useRef } from 'react';
import { sourceExpression } from '#analysis/code/source-expression.ts';
import { accessExpression } from '#analysis/core/access-text.ts';
import type { AccessPath, AccessStep, StepMeaning } from '#analysis/core/parse-spec.ts';
import { bitPlace, drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import { select } from '#store/address/navigation.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Callout } from '#ui/Callout.tsx';
import { KeyScope } from '#ui/keys.tsx';
import { columnAfterKey } from '#ui/table-columns.ts';
import { type AccessIndex, accessIndices, shownStep } from '#views/parts/core/access-indices.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './AccessSection.module.css';
import { StepSide, TargetStep } from './StepSide.tsx';
import { departsAt, type InspectedRecord, targetStepOf } from './target-side.ts';

/** Shows the access string as buttons, and the selected index in the local and target types. */
export function AccessSection(props: InspectedRecord) {
  const { types, record, path, step, compared } = props;
  const indices = accessIndices(path);
  const shown = shownStep(path, step);
  const targetPath = compared?.side?.path ?? null;
  return (
    <DetailSection
      title="Access string"
      aside={indices.length > 1 ? '← → select an index' : undefined}
    >
      <div className={styles.lanes}>
        {targetPath === null ? null : <p className="tiny muted">this file</p>}
        <AccessChips core={record.index} path={path} indices={indices} shown={shown} />
        {targetPath === null ? null : (
          <>
            <p className="tiny muted">target</p>
            <TargetChips local={path} target={targetPath} shown={shown} />
          </>
        )}
      </div>
      <div className={styles.card} data-sides={compared === null ? 1 : 2} aria-live="polite">
        <LocalStep {...props} shown={shown} isCompared={compared !== null} />
        {compared === null ? null : (
          <TargetStep compared={compared} types={types} path={path} shown={shown} />
        )}
      </div>
    </DetailSection>
  );
}

type LocalStepProps = Pick<InspectedRecord, 'model' | 'types' | 'record' | 'path'> & {
  readonly shown: number;
  readonly isCompared: boolean;
};

function LocalStep({ model, types, record, path, shown, isCompared }: LocalStepProps) {
  if (shown < path.steps.length) {
    return (
      <StepSide
        heading={isCompared ? 'This file' : null}
        types={types}
        path={path}
        at={shown}
        link={(type) => <TypeLink types={types} type={type} badge />}
        inSource={(expression) => sourceExpression(model, record, expression)}
      />
    );
  }
  const { error } = path;
  return error !== null && error.atStep >= shown ? (
    <Callout severity="error" title={`Index ${shown} cannot be followed`}>
      {drawnName(error.message)}
    </Callout>
  ) : (
    <p className="break pretty">The access path ends before this index.</p>
  );
}

type AccessChipsProps = {
  readonly core: CoreIndex;
  readonly path: AccessPath;
  readonly indices: readonly AccessIndex[];
  /** Position of the selected index in the access string, from 0. */
  readonly shown: number;
};

/** Shows the indexes of an access string as buttons. Arrow keys move between the buttons. */
function AccessChips({ core, path, indices, shown }: AccessChipsProps) {
  const row = useRef<HTMLDivElement>(null);
  const isHere = useContext(KeyScope);
  const show = (step: number) => select({ kind: 'core', core, step });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepAfterKey(event.key, shown, indices.length);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    // Focusing the button also selects its index.
    row.current?.querySelectorAll('button')[to]?.focus();
  };
  return (
    <div
      ref={row}
      role="toolbar"
      aria-label="Access string"
      className={styles.row}
      onKeyDown={onKeyDown}
    >
      {indices.map(({ step, text, state }) => (
        <span key={step} className="row shrink">
          <Colon isFirst={step === 0} />
          <button
            type="button"
            className={styles.chip}
            data-state={state}
            aria-pressed={step === shown}
            tabIndex={step === shown ? 0 : -1}
            onClick={() => show(step)}
            onFocus={() => show(step)}
            onMouseEnter={() => {
              // Moving the pointer over a pane that is not current must not change the selection.
              if (isHere()) show(step);
            }}
          >
            <ChipText index={drawnName(text)} caption={chipCaption(path, step, state)} />
          </button>
        </span>
      ))}
    </div>
  );
}

type TargetChipsProps = {
  readonly local: AccessPath;
  readonly target: AccessPath;
  readonly shown: number;
};

/** Shows the target's indexes, marked from the first difference on. Highlights the selected one. */
function TargetChips({ local, target, shown }: TargetChipsProps) {
  const departs = departsAt(local, target) ?? target.steps.length;
  const lit = targetStepOf(local, target, shown);
  const chips = target.steps.map((step, at) => ({ at, step }));
  return (
    <ol className={styles.row} aria-label="Path in the target">
      {chips.map(({ at, step }) => (
        <li key={at} className="row shrink">
          <Colon isFirst={at === 0} />
          <span
            className={styles.chip}
            data-state={at < departs ? 'alike' : 'departed'}
            data-lit={at === lit}
          >
            <ChipText index={step.index} caption={chipCaption(target, at, 'step')} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Colon({ isFirst }: { readonly isFirst: boolean }) {
  return isFirst ? null : (
    <span className={styles.colon} aria-hidden>
      :
    </span>
  );
}

/** Shows an index with its caption. The caption is not escaped. */
function ChipText({ index, caption }: { readonly index: ReactNode; readonly caption: string }) {
  return (
    <>
      <span className={styles.index}>{index}</span>{' '}
      <span className={styles.caption}>{drawnName(caption)}</span>
    </>
  );
}

function stepAfterKey(key: string, from: number, count: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return columnAfterKey(key, from, count);
}

/** Returns the caption of an index: what the index selects, such as a member. Not escaped. */
export function chipCaption(path: AccessPath, at: number, state: AccessIndex['state']): string {
  const step = path.steps[at];
  if (step === undefined) return state === 'fault' ? 'invalid' : 'not reached';
  switch (step.means) {
    case 'element-of-pointer':
      return step.index === 0 ? '*p' : `p[${step.index}]`;
    case 'array-element':
      return `[${step.index}]`;
    case 'anonymous-member':
      return 'anonymous';
    case 'type':
      return 'the type';
    default:
      return step.name;
  }
}

const MEANINGS: Readonly<Record<StepMeaning, string>> = {
  'element-of-pointer': 'pointed-to element',
  member: 'member',
  'anonymous-member': 'anonymous member',
  'array-element': 'array element',
  enumerator: 'enumerator',
  type: 'the type itself',
};

/** Shows a table of the steps of the access. */
export function StepsSection({ types, record, path, step, compared }: InspectedRecord) {
  if (path.steps.length < 2) return null;
  const shown = shownStep(path, step);
  const target = compared?.side?.path ?? null;
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
                    className={styles.stepIndex}
                    aria-label={`Select index ${at}: ${taken.index}`}
                    aria-current={at === shown ? 'step' : undefined}
                    onClick={() => select({ kind: 'core', core: record.index, step: at })}
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
                  <TargetPlace
                    own={taken}
                    step={target.steps[targetStepOf(path, target, at) ?? -1]}
                  />
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
  /** Step in the target; undefined if the target's path has no such step. */
  readonly step: AccessStep | undefined;
};

function TargetPlace({ own, step }: TargetPlaceProps) {
  if (step === undefined) return <td className={styles.gone}>absent</td>;
  const isSame = step.bitOffset === own.bitOffset;
  return (
    <td className="mono" data-differs={!isSame}>
      {isSame ? 'same' : bitPlace(step.bitOffset)}
    </td>
  );
}
