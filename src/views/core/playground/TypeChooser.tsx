import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './TypeChooser.module.css';

/** What an access can begin in. */
const KINDS = [BtfKind.STRUCT, BtfKind.UNION, BtfKind.ENUM, BtfKind.ENUM64, BtfKind.TYPEDEF].reduce(
  (mask, kind) => mask | (1 << kind),
  0,
);

/** A search over the types that an access can begin in. */
export function TypeChooser({
  id,
  types,
  chosen,
  onChoose,
}: {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly chosen: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
}) {
  const [text, setText] = useState('');
  const pane = useRef<HTMLElement>(null);
  const query: TypeQuery = { text, kinds: KINDS, order: 'name', descending: false };
  const answer = useAnswer(id, 'searchTypes', query);
  const ids = answer.value;
  const renderRow = useMemo(
    () => (row: number) => {
      const type = typeId(ids?.[row] ?? 0);
      return (
        <>
          <KindBadge kind={kindOf(types, type)} />
          <span className={styles.name}>
            <Name text={typeTitle(types, type)} />
          </span>
          <span className={styles.id}>[{type}]</span>
        </>
      );
    },
    [ids, types],
  );
  const index = ids === null || chosen === null ? -1 : ids.indexOf(chosen);
  const choose = (row: number) => {
    const type = ids?.[row];
    if (type !== undefined) onChoose(typeId(type));
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      pane.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
    } else if (event.key === 'Enter') {
      choose(0);
    }
  };
  return (
    <section ref={pane} className={styles.chooser} aria-labelledby="chooser-title">
      <div className={styles.controls}>
        <h2 id="chooser-title" className={styles.title}>
          Begin in
        </h2>
        <SearchBox
          label="Find a type"
          placeholder="task_struct, enum bpf_map_type, #12"
          hint="/"
          value={text}
          onChange={setText}
          onKeyDown={onSearchKey}
          {...(ids === null || text === '' ? {} : { found: countOf(ids.length, 'type') })}
        />
      </div>
      <div className={styles.list}>
        {ids === null ? null : (
          <VirtualList
            // A new answer is read from its top.
            key={text}
            label="Types to begin in"
            count={ids.length}
            rowHeight={24}
            selectedIndex={index < 0 ? null : index}
            scrollToIndex={index < 0 ? null : index}
            onSelect={choose}
            renderRow={renderRow}
            emptyText="No struct, union, enum or typedef of that name"
          />
        )}
      </div>
    </section>
  );
}
