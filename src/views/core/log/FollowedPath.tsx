import { CircleCheck, OctagonX } from 'lucide-react';
import { walkAccess } from '#analysis/core/access-path.ts';
import { accessStringOf, isEnumRoot } from '#analysis/core/playground.ts';
import type { AskedWay } from '#analysis/log/ask-target.ts';
import { type Followed, followNames } from '#analysis/log/follow-names.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { activate, select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './FollowedPath.module.css';
import { memberPathOf } from './log-parts.ts';

type FollowedPathProps = {
  /** Whose types these are. */
  readonly file: FileId;
  readonly types: TypeTable;
  readonly asked: AskedWay;
  readonly followed: Followed;
};

/** The type and the path through it as chips. The failing step is marked, and similar names are links. */
export function FollowedPath({ file, types, asked, followed }: FollowedPathProps) {
  const { root, fault } = followed;
  const steps = followedSteps(asked, followed);
  const sentence = faultSentence(types, followed);
  const place = placeText(types, followed);
  const show = (type: TypeId, path: readonly number[]) => {
    activate(file);
    select(typeSelection(type, path), 'types');
  };
  return (
    <div className={styles.path}>
      <p className={styles.chips}>
        <button type="button" className={styles.type} onClick={() => show(root, [])}>
          <KindBadge kind={kindOf(types, root)} decorative />
          <bdi>
            {asked.typeKind} {drawnName(asked.typeName)}
          </bdi>
          <span className="muted">[{root}]</span>
        </button>
        {steps.map(({ at, text, state }) => (
          <span key={at} className={styles.step} data-state={state}>
            {state === 'fault' ? <OctagonX size={13} role="img" aria-label="Not found:" /> : null}
            {state === 'unreached' ? <span className="visually-hidden">not reached: </span> : null}
            <bdi>{drawnName(text)}</bdi>
          </span>
        ))}
      </p>
      {sentence === null ? (
        <p className={styles.good} data-tone="ok">
          <CircleCheck size={14} aria-hidden />
          <span>Found{place === null ? '' : ` at ${place}`}.</span>
          {fault === null && steps.length > 0 ? (
            <button
              type="button"
              className={styles.name}
              onClick={() => show(root, memberPathOf(followed))}
            >
              Show member
            </button>
          ) : null}
        </p>
      ) : (
        <p className={styles.bad} data-tone="danger">
          <OctagonX size={14} aria-hidden />
          <span>{drawnName(sentence)}</span>
        </p>
      )}
      {fault === null || fault.near.length === 0 ? null : (
        <p className={styles.near}>
          <span>Did you mean:</span>
          {fault.near.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.name}
              onClick={() => show(fault.container, pathTo(types, fault.container, name))}
            >
              <bdi>{drawnName(name)}</bdi>
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

/** An enumerator has no member path: its enum is shown. */
function pathTo(types: TypeTable, container: TypeId, name: string): number[] {
  const path = [{ name, index: null }];
  return memberPathOf(followNames(types, container, { path, enumerator: null }));
}

/** The path that a line names, followed step by step in one table of types. */

type FollowedStep = {
  /** Its place in the path. */
  readonly at: number;
  /** `.i_atime`, `[2]`, `::VALUE`. Raw text. */
  readonly text: string;
  /** `fault`: not there. `unreached`: behind the fault. */
  readonly state: 'found' | 'fault' | 'unreached';
};

/** The steps of `asked`, marked by how far `followed` came. Empty for a type alone. */
export function followedSteps(
  { path, enumeratorName }: Pick<AskedWay, 'path' | 'enumeratorName'>,
  { fault }: Pick<Followed, 'fault'>,
): FollowedStep[] {
  const texts =
    enumeratorName === null
      ? path.map((step) => (step.name === null ? `[${step.index}]` : `.${step.name}`))
      : [`::${enumeratorName}`];
  return texts.map((text, at) => ({
    at,
    text,
    state:
      fault === null || at < fault.atStep ? 'found' : at === fault.atStep ? 'fault' : 'unreached',
  }));
}

/** Why the path fails, as one sentence; null where it does not. Raw names. */
export function faultSentence(t: TypeTable, { fault }: Pick<Followed, 'fault'>): string | null {
  if (fault === null) return null;
  const where = typeExpression(t, fault.container);
  switch (fault.reason) {
    case 'no-member':
      return `${where} has no member ${fault.name}.`;
    case 'no-enumerator':
      return `${where} has no enumerator ${fault.name}.`;
    case 'not-composite':
      return `${where} has no members, so ${fault.name} cannot be one.`;
    case 'not-array':
      return `${where} is not an array.`;
    case 'outside':
      return `The index is outside ${where}.`;
  }
}

/** Where the path ends: `byte 88`, `byte 4, bit 3`, an enumerator's value; null where it does not, and for a type alone. */
export function placeText(t: TypeTable, { root, steps, fault }: Followed): string | null {
  if (fault !== null || steps.length === 0) return null;
  const accessStr = accessStringOf(
    t,
    root,
    steps.map((step) => step.index),
  );
  const isEnum = isEnumRoot(t, root);
  const path = walkAccess(t, root, accessStr, isEnum ? 11 : 0);
  if (path.error !== null) return null;
  if (isEnum) return `value ${path.steps[0]?.enumValue}`;
  const bit = path.bitOffset % 8n;
  return `byte ${path.byteOffset}${bit === 0n ? '' : `, bit ${bit}`}`;
}
