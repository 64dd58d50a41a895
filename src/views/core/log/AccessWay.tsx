import { CircleCheck, OctagonX } from 'lucide-react';
import type { AskedWay } from '#analysis/log/ask-target.ts';
import { type Followed, followNames } from '#analysis/log/follow-names.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { activate, select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './AccessWay.module.css';
import { memberPathOf } from './log-parts.ts';
import { faultSentence, placeText, waySteps } from './log-way.ts';

type AccessWayProps = {
  /** Whose types these are. */
  readonly file: FileId;
  readonly types: TypeTable;
  readonly asked: AskedWay;
  readonly followed: Followed;
};

/** The type and the way through it as chips; the step that leads nowhere is marked, and names near to it are links. */
export function AccessWay({ file, types, asked, followed }: AccessWayProps) {
  const { root, fault } = followed;
  const steps = waySteps(asked, followed);
  const sentence = faultSentence(types, followed);
  const place = placeText(types, followed);
  const show = (type: TypeId, path: readonly number[]) => {
    activate(file);
    select(typeSelection(type, path), 'types');
  };
  return (
    <div className={styles.way}>
      <p className={styles.chips}>
        <button type="button" className={styles.type} onClick={() => show(root, [])}>
          <KindBadge kind={kindOf(types, root)} decorative />
          <bdi>
            {asked.typeKind} {drawnName(asked.typeName)}
          </bdi>
          <span className={styles.id}>[{root}]</span>
        </button>
        {steps.map(({ at, text, state }) => (
          <span key={at} className={styles.step} data-state={state}>
            {state === 'fault' ? <OctagonX size={13} role="img" aria-label="Not there:" /> : null}
            {state === 'unreached' ? <span className="visually-hidden">not reached: </span> : null}
            <bdi>{drawnName(text)}</bdi>
          </span>
        ))}
      </p>
      {sentence === null ? (
        <p className={styles.good} data-tone="ok">
          <CircleCheck size={14} aria-hidden />
          <span>
            {steps.length === 0 ? 'It is there' : 'All of it is there'}
            {place === null ? '' : `, at ${place}`}.
          </span>
          {fault === null && steps.length > 0 ? (
            <button
              type="button"
              className={styles.name}
              onClick={() => show(root, memberPathOf(followed))}
            >
              Show the member
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
          <span>Near to it:</span>
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

/** An enumerator has no way of its own: its enum is shown. */
function pathTo(types: TypeTable, container: TypeId, name: string): number[] {
  const path = [{ name, index: null }];
  return memberPathOf(followNames(types, container, { path, enumerator: null }));
}
