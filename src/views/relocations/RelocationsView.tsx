import { useMemo, useState } from 'react';
import { placesReady } from '#analysis/code/places-ready.ts';
import { isComputable } from '#analysis/relocations/address-fields.ts';
import { relocationAtInsn, relocationsTouching } from '#analysis/relocations/by-place.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { MAX_REACH } from '#analysis/relocations/relocated-bytes.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { Derived, Run, type Steps } from '#bytes/long-work.ts';
import { drawnName } from '#bytes/text.ts';
import { type RelocIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionName } from '#model/sections.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select, showView } from '#store/address/navigation.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { usePins } from '#store/session/pins.ts';
import { viewsOf } from '#store/session/views.ts';
import { Landmark, scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { MEDIUM, NARROW, useNarrow } from '#ui/element-size.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { LayoutBar, useStatedLayout } from '#views/parts/LayoutBar.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { relocTone, symbolLine } from '#views/parts/relocation-look.ts';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { LinkedFilePicker } from './LinkedFilePicker.tsx';
import { useLinkedFile } from './linked-with.ts';
import { RelocationCard } from './RelocationCard.tsx';
import styles from './RelocationsView.module.css';
import { relocationColumns, withPins } from './relocation-columns.tsx';
import {
  type FamilyGroup,
  firstScope,
  isInScope,
  relocationAtRow,
  relocationFamilySteps,
  relocationsOf,
  rowOfRelocation,
  type Scope,
  ScopeRows,
  scopeOfSection,
  sectionsInScope,
} from './relocation-groups.ts';
import { ScopeAbout, ScopeList, ScopeSelect } from './ScopeList.tsx';

/** Shows the relocation entries of the file: sections, table, details. */
export function RelocationsView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  return (
    <div className="column tall">
      {isBpf(model) && viewsOf(model).includes('core') ? (
        <CoreLine count={model.ext.core.count} />
      ) : null}
      {model.relocations.count === 0 ? (
        <EmptyState title={`No ${relocationWord(model)}s`} text={noRelocationsText(model)} />
      ) : (
        <Entries key={active.id} active={active} />
      )}
    </div>
  );
}

function Entries({ active }: { readonly active: Active }) {
  const { model } = active;
  const run = useMemo(() => new Run(readyFamilies(model)), [model]);
  return (
    <WhenReady model={model} run={run}>
      {(families) => <RelocationsPanel active={active} families={families} />}
    </WhenReady>
  );
}

/** Computes the families of sections, and prepares the indexes that the rows of the table need. */
function* readyFamilies(model: ObjectModel): Steps<FamilyGroup[]> {
  yield* placesReady.runOf(model).join();
  return yield* relocationFamilySteps(model);
}

/** Shows that CO-RE relocations are listed elsewhere, with a link to them. */
function CoreLine({ count }: { readonly count: number }) {
  return (
    <div className={styles.line}>
      <span aria-hidden className={styles.mark} data-tone="reloc-3" />
      <p>
        CO-RE relocations are not ELF relocations: they are records of .BTF.ext, and libbpf applies
        them against the running kernel.{' '}
        {count === 0 ? 'This file has none.' : `This file has ${countOf(count, 'record')}.`}
      </p>
      {count === 0 ? null : (
        <Button size="small" onClick={() => showView('core')}>
          Show CO-RE
        </Button>
      )}
    </div>
  );
}

function noRelocationsText(model: ObjectModel): string {
  if (model.format === 'btf') {
    return 'A BTF blob has only types and strings: nothing for a linker or loader to patch.';
  }
  if (model.fileType === 'relocatable') {
    return 'No section has an entry: the code refers to no map, global variable or other function.';
  }
  return 'The linker has applied them already. Object files (.o) have them.';
}

/** Width in CSS pixels above which the table also has the columns Info and Section. */
const VERY_WIDE = 1559;

type RelocationsPanelProps = {
  readonly active: Active;
  readonly families: readonly FamilyGroup[];
};

/** Shows the scope, the table and the selected entry of one file. */
export function RelocationsPanel({ active, families }: RelocationsPanelProps) {
  const { id, model, selection } = active;
  const isNarrow = useNarrow(MEDIUM);
  const isTight = useNarrow(NARROW);
  const isWide = !useNarrow(VERY_WIDE);
  const { scope, setScope, reloc } = useScope(active, families);
  const stated = useStatedLayout(id, model);
  const { layout } = stated;
  const linked = useLinkedFile(id);
  const { query, box } = useFilter();
  // Selection most recently made in this table. It is visible, so do not scroll to it.
  const [clicked, setClicked] = useState<Selection | null>(null);

  const sections = useMemo(() => sectionsInScope(families, scope), [families, scope]);
  const all = useMemo(() => relocationsOf(sections), [sections]);
  const rows = useMemo(() => filterRelocations(model, all, query), [model, all, query]);
  const showSection = sections.length > 1;
  const isLoaded = sections.every(({ belongsTo }) => relocTone(belongsTo) !== 'reloc-4');
  const pins = usePins(id);
  const columns = useMemo(() => {
    const plain = relocationColumns(model, rows, {
      showSection,
      isLoaded,
      isTight,
      hasInfo: isWide || !showSection,
      layout,
    });
    return withPins(plain, pins, (row) => relocationAtRow(rows, row));
  }, [model, rows, showSection, isLoaded, isTight, isWide, layout, pins]);
  const choices = useMemo(
    () => new ScopeRows(families, scope, isNarrow),
    [families, scope, isNarrow],
  );

  const selected = useMemo(() => rowOfRelocation(rows, reloc), [rows, reloc]);
  const selectRow = (row: number, view?: 'bytes') => {
    const picked = relocationAtRow(rows, row);
    if (picked === null) return;
    const next: Selection = { kind: 'relocation', reloc: picked };
    setClicked(next);
    select(next, view);
  };

  return (
    <div className={styles.panel}>
      {isNarrow ? null : (
        <Landmark as="nav" className={styles.scopes} aria-label="Relocation sections">
          <ScopeList rows={choices} scope={scope} onScope={setScope} />
        </Landmark>
      )}
      <div className={styles.main}>
        <Toolbar label="Relocations">
          {isNarrow ? <ScopeSelect rows={choices} scope={scope} onScope={setScope} /> : null}
          <div className={styles.search}>
            <FoundList
              label="Filter relocations"
              placeholder="Symbol, type or section"
              hint="/"
              {...box}
              count={[rows.length, all.length]}
            />
          </div>
        </Toolbar>
        <LayoutBar
          model={model}
          stated={stated}
          summary={linked && `addresses of ${drawnName(linked.name)}`}
        >
          {isComputable(model) ? <LinkedFilePicker id={id} model={model} /> : null}
        </LayoutBar>
        <div className={styles.about}>
          <ScopeAbout
            sections={sections}
            unlisted={model.issues.find(({ code }) => code === 'elf.relocations-unlisted')}
          />
        </div>
        <div className={styles.table}>
          <VirtualTable
            label="Relocations"
            columns={columns}
            count={rows.length}
            selectedIndex={selected}
            onSelect={(row) => selectRow(row)}
            onActivate={(row) => selectRow(row, 'bytes')}
            scrollToIndex={clicked !== null && sameSelection(clicked, selection) ? null : selected}
            emptyText={query === '' ? 'No entries' : 'No matching entries'}
          />
        </div>
      </div>
      <div className={styles.detail} {...scrollRegion('Relocation details')}>
        {reloc === null ? (
          <EmptyState
            title="No relocation selected"
            text="Select an entry to see the bytes that it patches and how its value is computed. Enter shows the bytes."
          />
        ) : (
          <RelocationCard {...active} reloc={reloc} layout={layout} />
        )}
      </div>
    </div>
  );
}

const searchTexts = new Derived(function* (_: ObjectModel): Steps<Map<number, string>> {
  yield;
  return new Map();
});

/** Returns the rows whose text has every word of `query`, ignoring case. The texts are cached. */
export function filterRelocations(
  model: ObjectModel,
  rows: Uint32Array,
  query: string,
): Uint32Array {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const texts = searchTexts.of(model);
  return rows.filter((row) => {
    const text = getOrCreate(texts, row, () => searchText(model, row));
    return words.every((word) => text.includes(word));
  });
}

function searchText(model: ObjectModel, row: number): string {
  const { relSection, targetSection } = model.relocations;
  const meaning = relocationMeaning(model, relocIndex(row));
  const target = targetSection[row] ?? -1;
  const sections = [relSection[row] ?? 0, Math.max(0, target)].map((index) =>
    sectionName(model.sections, sectionIndex(index)),
  );
  return [meaning.typeName, symbolLine(meaning), ...sections].join(' ').toLowerCase();
}

/** Keeps the chosen scope until an entry outside of the scope is selected. */
function useScope({ model, selection }: Active, families: readonly FamilyGroup[]) {
  const reloc = useMemo(() => relocationOfSelection(model, selection), [model, selection]);
  const [chosen, setChosen] = useState<{ readonly scope: Scope; readonly of: unknown } | null>(
    null,
  );
  const wanted =
    reloc === null
      ? relSectionOfSelection(model, selection)
      : (model.relocations.relSection[reloc] ?? null);
  const isKept =
    chosen !== null &&
    (chosen.of === selection || wanted === null || isInScope(families, chosen.scope, wanted));
  const scope = isKept
    ? chosen.scope
    : wanted === null
      ? firstScope(families)
      : scopeOfSection(families, wanted);
  const setScope = (next: Scope) => setChosen({ scope: next, of: selection });
  return { scope, setScope, reloc };
}

/** Returns the selected entry, or the entry that patches the selected instruction or byte. */
export function relocationOfSelection(model: ObjectModel, selection: Selection): RelocIndex | null {
  switch (selection.kind) {
    case 'relocation':
      return selection.reloc < model.relocations.count ? selection.reloc : null;
    case 'insn':
      return relocationAtInsn(model, selection.section, selection.insnOff);
    case 'bytes':
      return relocationInBytes(model, selection.start, selection.end);
    default:
      return null;
  }
}

function relocationInBytes(model: ObjectModel, start: number, end: number): RelocIndex | null {
  const section = sectionAt(model.sections, start);
  if (section === null) return null;
  const base = model.sections.fileOffset[section] ?? 0;
  const near = relocationsTouching(model, section, start - base - MAX_REACH, end - base);
  const touches = (reloc: RelocIndex) => {
    const { marks } = relocationMeaning(model, reloc);
    return marks.some(({ span }) => span.start < end && span.end > start);
  };
  return near.slice(0, 256).find(touches) ?? null;
}

/** Returns the selected relocation section, or that which patches the selected section. */
export function relSectionOfSelection(model: ObjectModel, selection: Selection): number | null {
  if (selection.kind !== 'section') return null;
  const { relSection, targetSection, count } = model.relocations;
  for (let row = 0; row < count; row++) {
    const isIt = relSection[row] === selection.section || targetSection[row] === selection.section;
    if (isIt) return relSection[row] ?? null;
  }
  return null;
}
