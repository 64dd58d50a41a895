import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { CompareSide } from './compare-sides.ts';
import styles from './TypePicker.module.css';

/** The type of one side, as a button that lets another be chosen. */
export function TypePicker({
  term,
  side,
  type,
  onChoose,
}: {
  /** `Before` or `After`. */
  readonly term: string;
  readonly side: CompareSide;
  readonly type: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className={styles.button} onClick={() => setOpen(true)}>
        <span className={styles.term}>{term}</span>
        {type === null ? (
          <span>choose a type</span>
        ) : (
          <>
            <KindBadge kind={kindOf(side.types, type)} decorative />
            <span className={styles.name}>
              <Name text={typeTitle(side.types, type)} />
            </span>
          </>
        )}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`A type of ${visible(side.name)}`}
      >
        <Choice
          side={side}
          type={type}
          onChoose={(id) => {
            setOpen(false);
            onChoose(id);
          }}
        />
      </Dialog>
    </>
  );
}

function Choice(props: {
  readonly side: CompareSide;
  readonly type: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
}) {
  const { side, type, onChoose } = props;
  const [text, setText] = useState(() => nameFor(side.types, type));
  const [row, setRow] = useState<number | null>(null);
  const pane = useRef<HTMLDivElement>(null);
  const query: TypeQuery = { text, kinds: 0, order: 'name', descending: false };
  const answer = useAnswer(side.id, 'searchTypes', query);
  const ids = answer.value;
  const renderRow = useMemo(
    () => (index: number) => {
      const id = typeId(ids?.[index] ?? 0);
      return (
        <>
          <KindBadge kind={kindOf(side.types, id)} />
          <span className={styles.title}>
            <Name text={typeTitle(side.types, id)} />
          </span>
          <span className={styles.id}>[{id}]</span>
        </>
      );
    },
    [ids, side.types],
  );
  const choose = (index: number) => {
    const id = ids?.[index];
    if (id !== undefined) onChoose(typeId(id));
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      pane.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
    } else if (event.key === 'Enter') choose(row ?? 0);
  };
  return (
    <div ref={pane} className={styles.choice}>
      <SearchBox
        label="Find a type"
        placeholder="task_struct, enum bpf_map_type, #12"
        value={text}
        onChange={(next) => {
          setText(next);
          setRow(null);
        }}
        onKeyDown={onSearchKey}
        {...(ids === null || text === '' ? {} : { found: countOf(ids.length, 'type') })}
      />
      <div className={styles.list}>
        {ids === null ? null : (
          <VirtualList
            // A new answer is read from its top.
            key={text}
            label="Types to compare"
            count={ids.length}
            rowHeight={24}
            selectedIndex={row}
            onSelect={setRow}
            onActivate={choose}
            renderRow={renderRow}
            emptyText="No type of that name"
          />
        )}
      </div>
      <div className={styles.foot}>
        <Button
          variant="primary"
          disabled={row === null}
          onClick={() => (row === null ? undefined : choose(row))}
        >
          Compare
        </Button>
      </div>
    </div>
  );
}

function nameFor(types: TypeTable, type: TypeId | null): string {
  return type === null ? '' : nameOf(types, type);
}
