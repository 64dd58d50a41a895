import { useId, useMemo } from 'react';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import {
  type Access,
  accessPathOf,
  accessStringOf,
  goInto,
  isEnumRoot,
  onward,
} from '#analysis/core/playground.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { CoreIndex, TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { ViewState } from '#store/session/view-state.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { memberPathOf } from '#views/parts/core/access-indices.ts';
import { TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { TypeSearch, TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { AccessCard } from './AccessCard.tsx';
import { AccessInC, TypeRelocations } from './AccessInC.tsx';
import { KernelResults } from './KernelResults.tsx';
import { NextStepTable, nextStepsOf } from './NextStepTable.tsx';
import styles from './PlaygroundPanel.module.css';

/** Shows an access from any type: its access string, its C, and its result on each kernel. */
export function PlaygroundView() {
  const active = useActive();
  return active === null ? null : (
    <TargetFrame key={active.id} active={active}>
      <PlaygroundPanel active={active} />
    </TargetFrame>
  );
}

export function PlaygroundPanel({ active }: { readonly active: Active }) {
  const { types } = active.model;
  return types === null ? null : <Playground {...active} types={types} />;
}

type PlaygroundProps = Active & { readonly types: TypeTable };

function Playground({ id, model, types, selection }: PlaygroundProps) {
  const kept = playgroundState.useOf(id).walk;
  const walk = useMemo(() => walkOf(model, selection, kept), [model, selection, kept]);
  const go = (next: Walk) => {
    playgroundState.set({ walk: next }, id);
    const selected = selectionOf(types, next);
    if (selected !== null) select(selected);
  };
  return (
    <Split
      label="Resize the list of types"
      firstSize={26}
      minFirst={180}
      minSecond={260}
      first={
        <TypeChooser
          id={id}
          types={types}
          chosen={walk?.accesses[0]?.root ?? null}
          onChoose={(root: TypeId) => go(newWalk(types, root))}
        />
      }
      second={
        walk === null ? (
          <EmptyState
            title="Select a type"
            text="Select members step by step, or type an access string such as 0:1:2. Each step is explained, with the C to write and the result on each open kernel."
            actions={<TypeSuggestions model={model} view="playground" />}
          />
        ) : (
          <AccessPane
            id={id}
            model={model}
            types={types}
            accesses={walk.accesses}
            onAccesses={(accesses: readonly Access[]) => go({ accesses, core: null })}
          />
        )
      }
    />
  );
}

type AccessPaneProps = Pick<PlaygroundProps, 'id' | 'model' | 'types'> & {
  readonly accesses: readonly Access[];
  readonly onAccesses: (accesses: readonly Access[]) => void;
};

/** Shows a chain of accesses: its steps, the next steps, its C and its results. */
function AccessPane({ id, model, types, accesses, onAccesses }: AccessPaneProps) {
  const paths = useMemo(
    () => accesses.map((access) => accessPathOf(types, access)),
    [types, accesses],
  );
  // The index is the key of an access, since two accesses may be equal.
  const numbered = paths.map((one, number) => ({ one, number }));
  const at = accesses.length - 1;
  const access = accesses[at];
  const path = paths[at];
  const place = useMemo(
    () => (access === undefined ? null : nextStepsOf(types, access)),
    [types, access],
  );
  if (access === undefined || path === undefined) return null;
  const write = (number: number, accessStr: string) => {
    const written = accesses[number];
    if (written !== undefined)
      onAccesses([...accesses.slice(0, number), { ...written, accessStr }]);
  };
  const take = (index: number) => {
    if (place === null) return;
    if (isEnumRoot(types, access.root)) write(at, `${index}`);
    else
      onAccesses(
        goInto([...accesses.slice(0, at), { ...access, accessStr: place.prefix }], at, index),
      );
  };
  return (
    <Panel title={drawnName(typeExpression(types, accesses[0]?.root ?? access.root))}>
      {numbered.map(({ one, number }) => (
        <AccessCard
          key={`${number} ${one.root}`}
          types={types}
          path={one}
          number={number}
          count={paths.length}
          onWrite={(accessStr) => write(number, accessStr)}
        />
      ))}
      <FollowPointer
        types={types}
        path={path}
        onFollow={(next) => onAccesses([...accesses, next])}
      />
      {place === null ? null : (
        <NextStepTable
          // A table for another place starts at the top.
          key={`${at} ${access.root} ${place.prefix}`}
          types={types}
          place={place}
          onTake={take}
        />
      )}
      <AccessInC types={types} paths={paths} endian={model.endian} />
      <KernelResults id={id} types={types} path={path} endian={model.endian} />
      <TypeRelocations types={types} path={path} endian={model.endian} />
    </Panel>
  );
}

type FollowPointerProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly onFollow: (access: Access) => void;
};

function FollowPointer({ types, path, onFollow }: FollowPointerProps) {
  const next = onward(types, path);
  if (next?.kind !== 'pointer') return null;
  return (
    <p className={styles.follow}>
      <span>A pointer ends the access string. The pointed-to type starts a new one.</span>
      <Button size="small" onClick={() => onFollow({ root: next.to, accessStr: '0' })}>
        Follow to {drawnName(typeExpression(types, next.to))}
      </Button>
    </p>
  );
}

const KINDS = [BtfKind.STRUCT, BtfKind.UNION, BtfKind.ENUM, BtfKind.ENUM64, BtfKind.TYPEDEF].reduce(
  (mask, kind) => mask | (1 << kind),
  0,
);

type TypeChooserProps = Pick<PlaygroundProps, 'id' | 'types'> & {
  readonly chosen: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
};

function TypeChooser({ id, types, chosen, onChoose }: TypeChooserProps) {
  const titleId = useId();
  return (
    <Landmark className={styles.chooser} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        Root type
      </h2>
      <TypeSearch
        id={id}
        types={types}
        kinds={KINDS}
        listLabel="Root types"
        emptyText="No matching struct, union, enum or typedef"
        hint="/"
        chosen={chosen}
        showsChosen
        onSelect={(type) => (type === null ? undefined : onChoose(type))}
        onChoose={onChoose}
      />
    </Landmark>
  );
}

export type Walk = {
  /** The accesses of the chain, at least one. Each except the last ends at a pointer. */
  readonly accesses: readonly Access[];
  /** CO-RE record that the chain comes from; null if the user built the chain. */
  readonly core: number | null;
};

/** Returns a new chain if another type or record has been selected, else the chain `kept`. */
export function walkOf(model: ObjectModel, selection: Selection, kept: Walk | null): Walk | null {
  const { types } = model;
  if (types === null) return null;
  if (selection.kind === 'core') {
    return kept?.core === selection.core ? kept : (ofCore(model, types, selection.core) ?? kept);
  }
  if (selection.kind !== 'type' || !hasType(types, selection.type)) return kept;
  const [first] = kept?.accesses ?? [];
  const { type, memberPath } = selection;
  const isSame = first?.root === type && membersOf(types, first).join() === memberPath.join();
  return isSame ? kept : newWalk(types, type, memberPath);
}

/** Returns a chain with one access to a member, or for an enum to its first enumerator. */
export function newWalk(t: TypeTable, root: TypeId, path: readonly number[] = []): Walk {
  const taken = isEnumRoot(t, root) && path.length === 0 ? [0] : path;
  return { accesses: [{ root, accessStr: accessStringOf(t, root, taken) }], core: null };
}

/** Returns a selection of the type and member path of the first access. */
export function selectionOf(t: TypeTable, { accesses }: Walk): Selection | null {
  const [first] = accesses;
  return first === undefined ? null : typeSelection(first.root, membersOf(t, first));
}

function membersOf(t: TypeTable, access: Access): number[] {
  return isEnumRoot(t, access.root) ? [] : memberPathOf(accessPathOf(t, access));
}

function ofCore(model: ObjectModel, types: TypeTable, core: CoreIndex): Walk | null {
  if (core >= model.ext.core.count) return null;
  const { root, kind, accessStr } = coreRecord(model, core);
  const isType = coreKind(kind)?.group === 'type';
  return isType ? { ...newWalk(types, root), core } : { accesses: [{ root, accessStr }], core };
}

/** The chain of each file. It is not lost when the user changes the view. */
const playgroundState = new ViewState(
  'playground',
  { walk: null as Walk | null },
  { ofModel: true },
);
