import { useMemo, useState } from 'react';
import type { InsnPlace } from '#analysis/code/selection.ts';
import { functionAt, functionsOf } from '#analysis/objects/functions.ts';
import { Run } from '#bytes/steps.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useLastRun } from '#views/parts/use-run.ts';
import styles from './FunctionPicker.module.css';
import { type FunctionRow, functionRowSteps } from './function-rows.ts';

export type FunctionPickerProps = {
  readonly model: ObjectModel;
  /** The section that is shown. */
  readonly section: SectionIndex;
  /** The instruction that is looked at. */
  readonly place: InsnPlace | null;
  /** After a function was picked by the pointer or by Enter. */
  readonly onPicked?: () => void;
};

/** The functions of the file by section; picking one selects its first instruction. */
export function FunctionPicker({ model, section, place, onPicked }: FunctionPickerProps) {
  const [filter, setFilter] = useState('');
  const filtering = useMemo(() => new Run(functionRowSteps(model, filter)), [model, filter]);
  // While the next rows are looked for those of before stay.
  const rows = useLastRun(filtering);
  const renderRow = useMemo(
    () => (index: number) => {
      const row = rows?.at(index);
      return row === undefined ? null : <FunctionRowText model={model} row={row} />;
    },
    [model, rows],
  );
  const total = functionsOf(model).length;
  const found = rows?.functionCount ?? total;
  const lit = useMemo(() => rows?.rowOf(section, place) ?? null, [rows, section, place]);
  return (
    <section className="column shrink-y tall surface" aria-labelledby="functions-title">
      <header className={styles.header}>
        <h2 id="functions-title" className={styles.title}>
          Functions
        </h2>
        <span className="small muted">{countOf(total, 'function')}</span>
      </header>
      <div className={styles.filter}>
        <SearchBox
          label="Filter functions"
          value={filter}
          onChange={setFilter}
          hint="/"
          {...(filter === '' ? {} : { found: `${grouped(found)} of ${grouped(total)}` })}
        />
      </div>
      <div className="fill">
        <VirtualList
          label="Functions"
          count={rows?.length ?? 0}
          rowHeight={26}
          selectedIndex={lit}
          scrollToIndex={lit}
          onSelect={(index) => pick(rows?.at(index))}
          onActivate={() => onPicked?.()}
          renderRow={renderRow}
          emptyText={rows === null ? 'Searching…' : 'No matching function'}
        />
      </div>
    </section>
  );
}

function pick(row: FunctionRow | undefined): void {
  if (row?.kind === 'section') select({ kind: 'section', section: row.section });
  if (row?.kind !== 'function') return;
  select({ kind: 'insn', section: row.func.section, insnOff: row.func.start });
}

/** The function picker on a narrow screen: folded away behind the name of the function that is shown. */
export function FunctionDrawer(props: Omit<FunctionPickerProps, 'onPicked'>) {
  const [isOpen, setIsOpen] = useState(false);
  const { model, section, place } = props;
  const func = place === null ? null : functionAt(model, place.section, place.insnOff);
  return (
    <div className={styles.drawer}>
      <Disclosure
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={
          <>
            <span className="muted">Functions</span>{' '}
            <Name text={func?.name ?? sectionName(model.sections, section)} />
          </>
        }
      >
        <div className={styles.functionDrawerList}>
          <FunctionPicker {...props} onPicked={() => setIsOpen(false)} />
        </div>
      </Disclosure>
    </div>
  );
}

type FunctionRowTextProps = {
  readonly model: ObjectModel;
  readonly row: FunctionRow;
};

/** A row of the function picker: a section, or a function with its number of instruction slots. */
function FunctionRowText({ model, row }: FunctionRowTextProps) {
  if (row.kind === 'section') {
    return (
      <span className={styles.section}>
        <Name text={row.name} otherwise="(no name)" />
      </span>
    );
  }
  const { name, start, end, isProgram } = row.func;
  const slots = Math.floor((end - start) / insnSlot(model));
  return (
    <>
      <span className={styles.name} data-program={isProgram}>
        <Name text={name} otherwise="(no name)" />
      </span>
      <span className="tiny muted" title={countOf(slots, 'instruction')}>
        {grouped(slots)}
      </span>
    </>
  );
}
