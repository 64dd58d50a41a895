import { useId, useMemo, useState } from 'react';
import { type FunctionRange, functionAt, functionsOf } from '#analysis/objects/functions.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { isRest, Run, type Steps } from '#bytes/long-work.ts';
import type { SectionIndex } from '#model/ids.ts';
import { hasBpfCode, insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { Disclosure } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { rowRenderer, VirtualList } from '#ui/VirtualList.tsx';
import { CutName, Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useLastRun } from '#views/parts/WhenReady.tsx';
import styles from './FunctionPicker.module.css';

export type FunctionPickerProps = {
  readonly model: ObjectModel;
  /** Section whose code is shown. */
  readonly section: SectionIndex;
  /** Selected instruction; null if none is selected. */
  readonly place: InsnPlace | null;
  /** Called after the user has picked a function by a click or Enter. */
  readonly onPicked?: () => void;
};

/** Shows functions by section. Picking a function selects its first instruction. */
export function FunctionPicker({ model, section, place, onPicked }: FunctionPickerProps) {
  const titleId = useId();
  const { query, box } = useFilter();
  const filtering = useMemo(() => new Run(functionRowSteps(model, query)), [model, query]);
  // While a new filter runs, the list keeps the rows of the previous filter.
  const rows = useLastRun(filtering);
  const renderRow = useMemo(
    () => rowRenderer(rows, (row) => <FunctionRowText model={model} row={row} />),
    [model, rows],
  );
  const total = functionsOf(model).length;
  const lit = useMemo(() => rows?.rowOf(section, place) ?? null, [rows, section, place]);
  return (
    <Landmark className="column shrink-y tall surface" aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="size-13">
          Functions
        </h2>
        <span className="small muted">{countOf(total, 'function')}</span>
      </header>
      <div className="rigid pad-2">
        <FoundList
          label="Filter functions"
          hint="/"
          {...box}
          count={[rows?.functionCount ?? total, total]}
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
    </Landmark>
  );
}

function pick(row: FunctionRow | undefined): void {
  if (row?.kind === 'section') select({ kind: 'section', section: row.section });
  if (row?.kind !== 'function') return;
  select({ kind: 'insn', section: row.func.section, insnOff: row.func.start });
}

/** Shows the functions in a narrow view: a drawer titled with the name of the current function. */
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

function FunctionRowText({ model, row }: FunctionRowTextProps) {
  if (row.kind === 'section') {
    return (
      <span className={styles.section}>
        <CutName text={row.name} />
      </span>
    );
  }
  const { name, start, end, isProgram } = row.func;
  const slots = Math.floor((end - start) / insnSlot(model));
  return (
    <>
      <span className={styles.name} data-program={isProgram}>
        <CutName text={name} />
      </span>
      <span
        className="tiny muted"
        title={countOf(slots, hasBpfCode(model) ? 'slot' : 'instruction')}
      >
        {grouped(slots)}
      </span>
    </>
  );
}

/** Row of the list of functions: a section with code, or a function in a section. */
export type FunctionRow =
  /** The name of a section is not escaped. */
  | { readonly kind: 'section'; readonly section: SectionIndex; readonly name: string }
  | { readonly kind: 'function'; readonly func: FunctionRange };

/** Rows of the list of functions by index. A row is made when drawn: there can be a million. */
class FunctionRows {
  readonly length: number;
  readonly functionCount: number;
  readonly #model: ObjectModel;
  readonly #functions: readonly FunctionRange[];
  /** Index of a function for each row. The heading before function `i` is stored as `~i`. */
  readonly #rows: Int32Array;

  constructor(model: ObjectModel, rows: Int32Array, functionCount: number) {
    this.#model = model;
    this.#functions = functionsOf(model);
    this.#rows = rows;
    this.length = rows.length;
    this.functionCount = functionCount;
  }

  at(index: number): FunctionRow | undefined {
    const row = this.#rows[index];
    const func = row === undefined ? undefined : this.#functions[row < 0 ? ~row : row];
    if (row === undefined || func === undefined) return;
    if (row >= 0) return { kind: 'function', func };
    const { section } = func;
    return { kind: 'section', section, name: sectionName(this.#model.sections, section) };
  }

  /** Returns the row of the function at an instruction, else the row of the section, else null. */
  rowOf(section: SectionIndex | null, place: InsnPlace | null): number | null {
    const funcRow = place === null ? -1 : this.#rows.findIndex((row) => this.#holds(row, place));
    const row =
      funcRow < 0 ? this.#rows.findIndex((each) => this.#isTitle(each, section)) : funcRow;
    return row < 0 ? null : row;
  }

  #holds(row: number, place: InsnPlace): boolean {
    const func = this.#functions[row];
    if (func?.section !== place.section) return false;
    return func.start <= place.insnOff && place.insnOff < func.end;
  }

  #isTitle(row: number, section: SectionIndex | null): boolean {
    return row < 0 && this.#functions[~row]?.section === section;
  }
}

/** Returns the functions and sections whose name contains `filter`, ignoring case. */
export function* functionRowSteps(model: ObjectModel, filter: string): Steps<FunctionRows> {
  const wanted = filter.trim().toLowerCase();
  const functions = functionsOf(model);
  const rows = new Int32Array(2 * functions.length);
  let length = 0;
  let functionCount = 0;
  let section: SectionIndex | null = null;
  let isSectionWanted = false;
  let isTitled = false;
  for (let number = 0; number < functions.length; number++) {
    if (isRest(number)) yield;
    const func = functions[number];
    if (func === undefined) continue;
    // Functions are in order of their sections: a new section needs a heading.
    if (func.section !== section) {
      section = func.section;
      isSectionWanted = isNameWith(wanted, () => sectionName(model.sections, func.section));
      isTitled = false;
    }
    if (!isSectionWanted && !isNameWith(wanted, () => func.name)) continue;
    if (!isTitled) rows[length++] = ~number;
    isTitled = true;
    rows[length++] = number;
    functionCount++;
  }
  return new FunctionRows(model, rows.slice(0, length), functionCount);
}

function isNameWith(wanted: string, name: () => string): boolean {
  return wanted === '' || name().toLowerCase().includes(wanted);
}
