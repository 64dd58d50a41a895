import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { GroupOfReferrers, ReferrerGroup } from '#analysis/graph/referrers.ts';
import type { Scene } from '#analysis/graph/scene.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf } from '#model/type-table.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { isReferrerShown, selectNode, startAt, toggleReferrer } from './graph-actions.ts';
import styles from './ReferrersPanel.module.css';

const STEP = 50;

const TITLES: Readonly<Record<ReferrerGroup, string>> = {
  value: 'Hold it by value',
  pointer: 'Hold a pointer to it',
  function: 'Functions that take or return it',
  callback: 'Hold pointers to such functions',
  variable: 'Variables of it',
};

type ReferrersPanelProps = {
  readonly id: FileId;
  readonly scene: Scene;
  readonly type: TypeId;
  readonly onClose: () => void;
};

/** Shows the types that refer to a type, grouped by kind of reference. A click adds a type. */
export function ReferrersPanel({ id, scene, type, onClose }: ReferrersPanelProps) {
  // For another type, the list starts again with the first referrers.
  const [shown, setShown] = useState({ type, limit: STEP });
  const limit = shown.type === type ? shown.limit : STEP;
  const { value } = useAnswer(id, 'graphReferrers', { type, limit });
  return (
    <Landmark as="aside" className={styles.panel} aria-label="Referrers">
      <header className={styles.header}>
        <h2 className="shrink medium ellipsis size-13">
          Refer to <Name text={typeTitle(scene.types, type)} />
        </h2>
        <IconButton size="small" label="Close referrers" icon={X} onClick={onClose} />
      </header>
      <div className="scroll pad-2">
        {value?.length === 0 ? (
          <p className="small muted">No type in this file refers to it.</p>
        ) : null}
        {(value ?? []).map((group) => (
          <Group
            key={group.group}
            scene={scene}
            group={group}
            onMore={() => setShown({ type, limit: limit + STEP })}
          />
        ))}
      </div>
    </Landmark>
  );
}

type GroupProps = {
  readonly scene: Scene;
  readonly group: GroupOfReferrers;
  readonly onMore: () => void;
};

function Group({ scene, group, onMore }: GroupProps) {
  const rest = group.total - group.ids.length;
  return (
    <section className={styles.group}>
      <h3 className={styles.heading}>
        {TITLES[group.group]} <span className={styles.count}>{grouped(group.total)}</span>
      </h3>
      <ul className={styles.list}>
        {Array.from(group.ids, (row) => (
          <li key={row}>
            <Referrer scene={scene} type={typeId(row)} group={group.group} />
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Button size="small" variant="quiet" onClick={onMore}>
          {grouped(Math.min(STEP, rest))} more
        </Button>
      ) : null}
    </section>
  );
}

type ReferrerProps = Pick<ReferrersPanelProps, 'scene' | 'type'> & {
  readonly group: ReferrerGroup;
};

function Referrer(props: ReferrerProps) {
  const { scene, type, group } = props;
  const { types } = scene;
  const isShown = scene.indexOf(type) !== null;
  const name = drawnName(typeTitle(types, type));
  const isAdded = isReferrerShown(scene, type);
  const { title, act } = clickEffect(props, isShown && !isAdded, name);
  return (
    <button
      type="button"
      className={styles.referrer}
      aria-pressed={group === 'callback' ? undefined : isShown}
      title={title}
      onClick={act}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <span className="grow ellipsis">
        <Name text={typeTitle(types, type)} />
      </span>
      {isShown ? null : <Plus size={13} aria-hidden />}
    </button>
  );
}

/** Returns what a click on a referrer does. A click on a callback starts a new graph. */
function clickEffect({ scene, type, group }: ReferrerProps, isThere: boolean, name: string) {
  if (group === 'callback') {
    return { title: `Draw the graph of ${name}`, act: () => startAt(type) };
  }
  return isThere
    ? { title: `Select ${name} in the graph`, act: () => selectNode(scene, type) }
    : {
        title: `Show ${name} in the graph, or remove it`,
        act: () => toggleReferrer(scene, type),
      };
}
