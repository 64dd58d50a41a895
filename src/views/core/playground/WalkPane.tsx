import { useMemo } from 'react';
import type { AccessPath } from '#analysis/core/access-path.ts';
import { goInto, type Hop, isEnumRoot, onward, walkHop } from '#analysis/core/playground.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Panel } from '#ui/Panel.tsx';
import { HopCard } from './HopCard.tsx';
import { InC } from './InC.tsx';
import { OfType } from './OfType.tsx';
import { OnKernels } from './OnKernels.tsx';
import { PlaceTable } from './PlaceTable.tsx';
import { placeOf } from './place-rows.ts';
import styles from './WalkPane.module.css';

/** A way through one type, or through pointers and several: where it is, where it can go, what it is in C. */
export function WalkPane({
  id,
  model,
  types,
  hops,
  onHops,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly hops: readonly Hop[];
  readonly onHops: (hops: readonly Hop[]) => void;
}) {
  const paths = useMemo(() => hops.map((hop) => walkHop(types, hop)), [types, hops]);
  // A hop is known by its place: two of them may be alike.
  const numbered = paths.map((one, number) => ({ one, number }));
  const at = hops.length - 1;
  const hop = hops[at];
  const path = paths[at];
  const place = useMemo(() => (hop === undefined ? null : placeOf(types, hop)), [types, hop]);
  if (hop === undefined || path === undefined) return null;
  const write = (number: number, accessStr: string) => {
    const written = hops[number];
    if (written !== undefined) onHops([...hops.slice(0, number), { ...written, accessStr }]);
  };
  const take = (index: number) => {
    if (place === null) return;
    if (isEnumRoot(types, hop.root)) write(at, `${index}`);
    else onHops(goInto([...hops.slice(0, at), { ...hop, accessStr: place.prefix }], at, index));
  };
  return (
    <Panel title={drawnName(typeExpression(types, hops[0]?.root ?? hop.root))}>
      {numbered.map(({ one, number }) => (
        <HopCard
          key={`${number} ${one.root}`}
          types={types}
          path={one}
          number={number}
          count={paths.length}
          onWrite={(accessStr) => write(number, accessStr)}
        />
      ))}
      <FollowPointer types={types} path={path} onFollow={(next) => onHops([...hops, next])} />
      {place === null ? null : (
        <PlaceTable
          // Another place is looked at from its top.
          key={`${at} ${hop.root} ${place.prefix}`}
          types={types}
          place={place}
          onTake={take}
        />
      )}
      <InC types={types} paths={paths} endian={model.endian} />
      <OnKernels id={id} types={types} path={path} endian={model.endian} />
      <OfType types={types} path={path} endian={model.endian} />
    </Panel>
  );
}

function FollowPointer({
  types,
  path,
  onFollow,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly onFollow: (hop: Hop) => void;
}) {
  const next = onward(types, path);
  if (next?.kind !== 'pointer') return null;
  return (
    <p className={styles.follow}>
      <span>A pointer ends the access string. What is behind it begins a new one.</span>
      <Button size="small" onClick={() => onFollow({ root: next.to, accessStr: '0' })}>
        Follow to {drawnName(typeExpression(types, next.to))}
      </Button>
    </p>
  );
}
