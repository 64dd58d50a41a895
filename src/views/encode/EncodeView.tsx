import { useMemo, useState } from 'react';
import { drawnName, hexText } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import { btfOf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type {
  DecisionRow,
  DecisionSubject,
  DecisionsAnswer,
  FeatureSet,
} from '#print/decision-rows.ts';
import { select } from '#store/address/navigation.ts';
import { useActive, useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ViewToolbar } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { column, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { isPacked } from '#views/parts/use-section-bytes.ts';
import styles from './EncodeView.module.css';

/** Most rows that are listed; the filter finds the others. */
const MAX_ROWS = 5000;

/** Shows what pahole leaves out of the BTF that it makes of the file's DWARF, and why. */
export function EncodeView() {
  const active = useActive();
  if (active === null) return null;
  const { id, model } = active;
  return <Decisions key={id} id={id} model={model} />;
}

type DecisionsProps = { readonly id: FileId; readonly model: ObjectModel };

function Decisions({ id, model }: DecisionsProps) {
  const [features, setFeatures] = useState<FeatureSet>(isOfKernel(model) ? 'kernel' : 'plain');
  const [subject, setSubject] = useState<DecisionSubject>('function');
  const [chosen, setChosen] = useState<number | null>(null);
  const { query, box } = useFilter();
  const text = query.trim();
  const answer = useAnswer(id, 'decisions', { features, subject, text, limit: MAX_ROWS });
  const rows = answer.value?.rows ?? NO_ROWS;
  const columns = useMemo(() => decisionColumns(rows), [rows]);
  if (answer.step === 'failed') {
    const { message, advice, expected, found } = answer.issue;
    return (
      <div className="pad-row">
        <Callout severity="note" title={drawnName(message)}>
          {expected === undefined ? null : `Expected ${expected}, found ${found}. `}
          {advice}
        </Callout>
      </div>
    );
  }
  const { value } = answer;
  return (
    <div className={styles.view}>
      <ViewToolbar label="Decisions of pahole">
        <div className={styles.choices}>
          <Segmented
            label="Decisions about"
            options={subjects(value, btfOf(model) !== null)}
            value={subject}
            onChange={(next) => {
              setSubject(next);
              setChosen(null);
            }}
          />
        </div>
        <Segmented
          label="Features of pahole"
          options={FEATURES}
          value={features}
          onChange={setFeatures}
        />
        <div className={styles.filter}>
          <FoundList
            label="Filter by name"
            placeholder="Name of a function, variable or type"
            {...box}
            count={[value?.total ?? 0, value?.counts[subject] ?? 0]}
          />
        </div>
      </ViewToolbar>
      <header className={styles.head}>
        <p className="small soft">
          What pahole 1.31 leaves out of the BTF that it makes of this DWARF, and why.
        </p>
        <KeptNote text={text} value={value} />
      </header>
      <div className="fill">
        <VirtualTable
          label="Decisions"
          isInOrder
          columns={columns}
          count={rows.length}
          rowHeight={26}
          selectedIndex={chosen}
          onSelect={setChosen}
          onActivate={(index) => showEntry(model, rows[index])}
          emptyText={
            answer.step === 'waiting'
              ? 'Encoding…'
              : text === ''
                ? EMPTY[subject]
                : 'No matching decision'
          }
        />
      </div>
      <ChosenRow model={model} row={chosen === null ? undefined : rows[chosen]} />
    </div>
  );
}

type ChosenRowProps = { readonly model: ObjectModel; readonly row: DecisionRow | undefined };

/** Shows a row as a whole, which a narrow list cuts. */
function ChosenRow({ model, row }: ChosenRowProps) {
  if (row === undefined) return null;
  const { name, what, place } = row;
  return (
    <div className="wrapping gap-2 pad-row line-above small">
      <span className="break">
        <Name text={name === '' ? '(anon)' : name} />: {drawnName(what)}
        {place === '' ? '' : `, declared at ${drawnName(place)}`}
      </span>
      {entryStart(model, row) === null ? null : (
        <Button size="small" onClick={() => showEntry(model, row)}>
          Show bytes
        </Button>
      )}
    </div>
  );
}

const NO_ROWS: readonly DecisionRow[] = [];
const FEATURES: Readonly<Record<FeatureSet, string>> = {
  plain: 'pahole -J',
  kernel: 'Kernel build',
};
const EMPTY: Readonly<Record<DecisionSubject, string>> = {
  function: 'All functions are in the BTF',
  variable: 'All variables are in the BTF',
  type: 'No type is merged or left out',
  apart: 'No two types share kind and name',
  missing: 'The BTF of the file has all functions that pahole encodes',
};

/** Returns true for a kernel and its modules, which are built with more features. */
function isOfKernel({ sections }: ObjectModel): boolean {
  for (let i = 1; i < sections.count; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (name === '.modinfo' || name === '.init.text') return true;
  }
  return false;
}

function subjects(
  value: DecisionsAnswer | null,
  hasBtf: boolean,
): Partial<Record<DecisionSubject, string>> & Record<'function', string> {
  const titled = (title: string, subject: DecisionSubject) =>
    value === null ? title : `${title} ${grouped(value.counts[subject])}`;
  return {
    function: titled('Functions', 'function'),
    variable: titled('Variables', 'variable'),
    type: titled('Types', 'type'),
    apart: titled('Same name', 'apart'),
    ...(hasBtf ? { missing: titled('Not in this BTF', 'missing') } : {}),
  };
}

type KeptNoteProps = { readonly text: string; readonly value: DecisionsAnswer | null };

/** Tells the types of the BTF whose name is the text of the filter. */
function KeptNote({ text, value }: KeptNoteProps) {
  if (value === null || value.kept.length === 0) return null;
  const kept = value.kept.map(({ kind, id }) => `${kind} [${id}]`).join(', ');
  return (
    <p className="small" aria-live="polite">
      In the BTF of pahole, <span className="mono">{drawnName(text)}</span> is {kept}.
    </p>
  );
}

/** Returns the file offset of the entry of a row; null without one, or if it is compressed. */
function entryStart(model: ObjectModel, row: DecisionRow): number | null {
  const { dwarf, sections } = model;
  if (row.entry === null || dwarf === null) return null;
  const { section } = dwarf;
  if (section === null) return null;
  if (isPacked(model, section) || row.entry >= (sections.byteLength[section] ?? 0)) return null;
  return (sections.fileOffset[section] ?? 0) + row.entry;
}

/** Shows the bytes of the entry of a row. */
function showEntry(model: ObjectModel, row: DecisionRow | undefined): void {
  const start = row === undefined ? null : entryStart(model, row);
  if (start !== null) select({ kind: 'bytes', start, end: start + 1 }, 'bytes');
}

function decisionColumns(rows: readonly DecisionRow[]): TableColumn[] {
  return rowColumns<DecisionRow>(
    (index) => rows[index] ?? null,
    [
      column('name', 'Name', 170, ({ name }) => <Name text={name === '' ? '(anon)' : name} />, {
        mono: true,
      }),
      column('what', 'Decision', 380, ({ what }) => drawnName(what), { grow: 1 }),
      column('place', 'Declared at', 200, ({ place }) => drawnName(place), { mono: true }),
      column('entry', 'Entry', 90, ({ entry }) => (entry === null ? '' : hexText(entry)), {
        mono: true,
      }),
    ],
  );
}
