import { useMemo, useState } from 'react';
import { allIssues } from '#analysis/lint/issue-list.ts';
import { btfMembers } from '#analysis/objects/embedded-objects.ts';
import { type FunctionRange, functionsRun } from '#analysis/objects/functions.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { drawnName, hexText, visible } from '#bytes/text.ts';
import { SHT } from '#formats/elf/constants.ts';
import {
  BtfIdGroupType,
  type BtfIdTable,
  btfIdGroupName,
  btfIdKind,
  btfIdName,
} from '#model/btf-ids.ts';
import { sectionIndex, symbolIndex, typeId } from '#model/ids.ts';
import {
  type HeaderBlock,
  type HeaderField,
  isBpf,
  type ObjectModel,
} from '#model/object-model.ts';
import { sectionAt, sectionCount, sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { needsSentence } from '#print/needs-text.ts';
import { select, showView } from '#store/address/navigation.ts';
import { type Active, useActive, useAnswer } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import type { FileId, OpenFile } from '#store/session/session.ts';
import { type ViewName, viewsOf } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Histogram } from '#ui/bars.tsx';
import { grouped } from '#ui/grouped.ts';
import { Disclosure } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { column, NUMBER, type RowColumn, tableHeight } from '#ui/table-columns.ts';
import { LoadSummary, SummaryLine } from '#views/parts/core/LoadSummary.tsx';
import { KindBadge, kindStyle } from '#views/parts/KindBadge.tsx';
import { MemberTable, SelectionTable } from '#views/parts/LinkTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { SeverityMark } from '#views/parts/SeverityMark.tsx';
import { useRun } from '#views/parts/WhenReady.tsx';
import { typeListState } from '#views/types/state.ts';
import { FileMap } from './FileMap.tsx';
import { Identity } from './Identity.tsx';
import { nameOrNothing, OverviewCard } from './OverviewCard.tsx';
import styles from './OverviewView.module.css';
import { MapsCard, ProgramsCard } from './ProgramsCard.tsx';
import { SectionsCard } from './SectionsCard.tsx';
import { StructsCard } from './StructsCard.tsx';
import { SymbolsCard } from './SymbolsCard.tsx';

/** Shows the identity, the numbers, the map and the tables of a file. */
export function OverviewView() {
  const active = useActive();
  const file = usePaneFile();
  return active === null || file === null ? null : <Overview active={active} file={file} />;
}

function Overview({ active, file }: { readonly active: Active; readonly file: OpenFile }) {
  const { id, model } = active;
  const functions = useRun(functionsRun(model))?.list ?? null;
  const tiles = useMemo(() => tilesOf(model, functions), [model, functions]);
  const { types } = model;
  const isObject = isBpf(model);
  return (
    <div className="tall scroll-y ground">
      <div className={styles.page}>
        <Identity file={file} model={model} />
        {isObject ? <LoadSummary object={id} /> : null}
        {isObject && model.format === 'elf' ? <NeedsSummary object={id} /> : null}
        {types === null || isObject ? null : <FindTypes id={id} />}
        {model.format === 'elf' ? (
          <>
            <ProgramsCard {...active} functions={functions} />
            <MapsCard {...active} />
            <EmbeddedCard {...active} />
          </>
        ) : null}
        {types === null || isObject ? null : <StructsCard {...active} types={types} />}
        <ProblemsCard file={file} model={model} />
        <NumberTiles tiles={tiles} />
        <div className={styles.columns}>
          <div className={styles.main}>
            <FileMap {...active} />
          </div>
          {types === null ? null : (
            <div className={styles.side}>
              <KindsCard types={types} />
            </div>
          )}
        </div>
        <BtfIdsCard {...active} />
        {model.sections.count === 0 ? null : <SectionsCard {...active} />}
        {model.symbols.count === 0 ? null : <SymbolsCard {...active} />}
        <HeadersCard {...active} />
      </div>
    </div>
  );
}

/** Shows in one sentence what the object needs of a kernel, with a link to *Needs*. */
function NeedsSummary({ object }: { readonly object: FileId }) {
  const { value: needs } = useAnswer(object, 'needs', null);
  if (needs === null) return null;
  return (
    <SummaryLine link="Show in Needs" view="needs">
      <span className="break">{drawnName(needsSentence(needs))}</span>
    </SummaryLine>
  );
}

/** Shows a box that filters the list of types. */
function FindTypes({ id }: { readonly id: FileId }) {
  const [text, setText] = useState('');
  const find = () => {
    typeListState.set({ text, scope: 'file' }, id);
    showView('types');
  };
  return (
    <search className={styles.find}>
      <SearchBox
        label="Find a type or function"
        value={text}
        onChange={setText}
        onKeyDown={({ key }) => {
          if (key === 'Enter') find();
        }}
      />
      <Button onClick={find}>Find</Button>
    </search>
  );
}

/** Number of problems that the overview names. */
const NAMED_PROBLEMS = 4;

/** Shows the first errors, warnings and notes, with a link to *Problems*; hidden without any. */
function ProblemsCard({ file, model }: { readonly file: OpenFile; readonly model: ObjectModel }) {
  const issues = useMemo(() => allIssues(model.issues, file.findings), [model, file.findings]);
  if (issues.length === 0) return null;
  const more = issues.length - NAMED_PROBLEMS;
  return (
    <OverviewCard title="Problems" aside={countOf(issues.length, 'finding')}>
      <ul className="grid gap-1">
        {issues.slice(0, NAMED_PROBLEMS).map(({ severity, span, code, message }) => (
          <li key={`${code} ${span?.start} ${message}`} className="baseline-row gap-2">
            <SeverityMark severity={severity} />
            <span className="break">{visible(message)}</span>
          </li>
        ))}
      </ul>
      <Button size="small" variant="quiet" onClick={() => showView('issues')}>
        {more > 0 ? `Show these and ${grouped(more)} more` : 'Show in Problems'}
      </Button>
    </OverviewCard>
  );
}

/** Shows the numbers of the file's parts in one line, each a link to its view. */
function NumberTiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul className={styles.tiles} aria-label="Numbers">
      {tiles.map((tile) => (
        <li key={tile.id}>
          <button type="button" className={styles.tile} onClick={() => go(tile)}>
            <span className={styles.count} data-zero={tile.count === 0}>
              {tile.count === null ? '…' : grouped(tile.count)}
            </span>{' '}
            <span className="soft">{tile.count === 1 ? tile.singular : tile.plural}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function go({ selection, view }: Tile) {
  if (selection === null) showView(view);
  else select(selection, view);
}

type Tile = {
  readonly id: string;
  /** Number of items; null until they are counted. */
  readonly count: number | null;
  readonly singular: string;
  readonly plural: string;
  readonly view: ViewName;
  /** Selection that a click on the tile makes; null if the click keeps the selection. */
  readonly selection: Selection | null;
};

/** Returns a tile for each table of the format. `functions` is null until they are found. */
export function tilesOf(model: ObjectModel, functions: readonly FunctionRange[] | null): Tile[] {
  const tiles: Tile[] = [];
  const add = (
    id: string,
    count: number | null,
    singular: string,
    view: ViewName,
    selection: Selection | null = null,
    plural = `${singular}s`,
  ) => tiles.push({ id, count, singular, plural, view, selection });

  const { types } = model;
  const views = viewsOf(model);
  if (types !== null || (model.format !== 'btf' && views.includes('types'))) {
    add('types', types?.count ?? 0, 'type', 'types');
  }
  if (model.format === 'btf') {
    if (types === null) return tiles;
    const at = types.fileOffset ?? 0;
    const [start, end] = [at + types.strStart, at + types.strEnd];
    const bytes: Selection = { kind: 'bytes', start, end };
    add('strings', end - start, 'byte of names', 'bytes', bytes, 'bytes of names');
    return tiles;
  }
  add('functions', functions?.length ?? null, 'function', 'code');
  add('relocations', model.relocations.count, 'relocation', 'relocations');
  if (views.includes('core')) add('core', model.ext.core.count, 'CO-RE relocation', 'core');
  add('sections', sectionCount(model.sections), 'section', 'bytes');
  add('symbols', model.symbols.count, 'symbol', 'bytes', symbolsOf(model));
  return tiles;
}

/** Returns the section of the symbol table; without such a section, the first symbol. */
function symbolsOf({ sections, symbols }: ObjectModel): Selection | null {
  const symtab = sections.type.indexOf(SHT.symtab);
  if (symtab >= 0) return { kind: 'section', section: sectionIndex(symtab) };
  return symbols.count > 0 ? { kind: 'symbol', symbol: symbolIndex(0) } : null;
}

/** Shows BPF objects embedded in a program, and BTF outside of `.BTF`; hidden if there are none. */
function EmbeddedCard({ id, model }: Active) {
  const known = useMemo(
    () => (isBpf(model) ? { members: btfMembers(model), issues: [] } : null),
    [model],
  );
  const answer = useAnswer(id, 'embedded', null, known);
  const { members, issues } = answer.value ?? NO_OBJECTS;
  if (members.length === 0) return null;
  return (
    <OverviewCard
      title="Embedded objects"
      aside={countOf(members.length, 'object')}
      about={issues.map(({ message }) => visible(message)).join('. ') || undefined}
      isFlush
    >
      <div style={{ height: tableHeight(members.length, 10) }}>
        <MemberTable id={id} label="Embedded objects" members={members} />
      </div>
    </OverviewCard>
  );
}

const NO_OBJECTS = { members: [], issues: [] };

function HeadersCard({ model, selection }: Active) {
  return (
    <OverviewCard title="Headers" aside="raw fields">
      <div className={styles.blocks}>
        {model.headers.map((block) => (
          <Disclosure
            key={`${block.title}:${block.span.start}`}
            title={blockTitle(model, block)}
            isOpenAtFirst={model.headers.length === 1}
            aside={
              <span className="small muted regular">
                {countOf(block.fields.length, 'field')} at {offsetCell(block.span.start)}
              </span>
            }
          >
            <FieldTable block={block} title={blockTitle(model, block)} selection={selection} />
          </Disclosure>
        ))}
      </div>
    </OverviewCard>
  );
}

/** Returns the block's title. If several blocks have this title, the section is added. */
function blockTitle({ headers, sections }: ObjectModel, block: HeaderBlock): string {
  if (headers.filter(({ title }) => title === block.title).length < 2) return block.title;
  const section = sectionAt(sections, block.span.start);
  return section === null
    ? block.title
    : `${block.title} of ${drawnName(sectionName(sections, section))}`;
}

function FieldTable(props: {
  readonly block: HeaderBlock;
  readonly title: string;
  readonly selection: Selection;
}) {
  const { block, title, selection } = props;
  const selected = block.fields.findIndex(
    ({ span }) =>
      selection.kind === 'bytes' && span.start === selection.start && span.end === selection.end,
  );
  return (
    <SelectionTable
      label={`Fields of the ${title}`}
      rows={block.fields}
      columns={COLUMNS}
      most={32}
      selectedIndex={selected}
      selectionOf={({ span }) => ({ kind: 'bytes', start: span.start, end: span.end })}
      view="bytes"
    />
  );
}

const COLUMNS: readonly RowColumn<HeaderField>[] = [
  column('field', 'Field', 170, (field) => drawnName(field.name), { mono: true, grow: 1 }),
  column('value', 'Value', 110, (field) => drawnName(field.value), NUMBER),
  column('meaning', 'Meaning', 200, (field) => drawnName(field.meaning), { grow: 3 }),
  column('offset', 'Offset', 90, ({ span }) => offsetCell(span.start), NUMBER),
  column('bytes', 'Bytes', 70, ({ span }) => span.end - span.start, { align: 'end' }),
];

/** Shows the ids in `.BTF_ids` of a kernel or module; hidden if there are none. */
function BtfIdsCard({ model: { btfIds }, selection }: Active) {
  const columns = useMemo(() => idColumns(btfIds), [btfIds]);
  if (btfIds.count === 0) return null;
  return (
    <OverviewCard title=".BTF_ids" aside={countOf(btfIds.count, 'id')} isFlush>
      <SelectionTable
        label="Ids in .BTF_ids"
        rows={btfIds.id}
        columns={columns}
        most={10}
        selectedIndex={selection.kind === 'type' ? btfIds.id.indexOf(selection.type) : null}
        selectionOf={(id) => typeSelection(typeId(id))}
        view="types"
      />
    </OverviewCard>
  );
}

function idColumns(ids: BtfIdTable): RowColumn<number>[] {
  const flags = (_: number, row: number) =>
    ids.groups.type[ids.group[row] ?? -1] === BtfIdGroupType.set8
      ? hexText(ids.flags[row] ?? 0)
      : null;
  return [
    column('id', 'Id', 90, (id) => id, NUMBER),
    column('kind', 'Kind', 90, (_, row) => nameOrNothing(btfIdKind(ids, row))),
    column('name', 'Type', 180, (_, row) => nameOrNothing(btfIdName(ids, row)), { grow: 2 }),
    column('set', 'In', 160, (_, row) => nameOrNothing(groupText(ids, row)), { grow: 1 }),
    column('flags', 'Flags', 90, flags, { mono: true }),
  ];
}

const GROUP_WORDS = new Map<number, string>([
  [BtfIdGroupType.list, 'list'],
  [BtfIdGroupType.set, 'set'],
  [BtfIdGroupType.set8, 'set8'],
]);

function groupText(ids: BtfIdTable, row: number): string {
  const word = GROUP_WORDS.get(ids.groups.type[ids.group[row] ?? -1] ?? -1) ?? '';
  return [word, btfIdGroupName(ids, row)].filter((part) => part !== '').join(' ');
}

function KindsCard({ types }: { readonly types: TypeTable }) {
  const counts = useMemo(() => kindHistogram(types), [types]);
  return (
    <OverviewCard title="Types by kind" aside={countOf(types.count, 'type')}>
      <Histogram
        label="Types by kind"
        items={counts.map(({ kind, count }) => ({
          id: `${kind}`,
          label: kindStyle(kind).name,
          value: count,
          valueText: grouped(count),
          tone: kindStyle(kind).tone,
          mark: <KindBadge kind={kind} decorative />,
        }))}
        onSelect={(id) => showFirst(types, Number(id))}
      />
    </OverviewCard>
  );
}

function showFirst(types: TypeTable, kind: number) {
  for (let i = 0; i < types.count; i++) {
    const id = typeId(types.firstId + i);
    if (kindOf(types, id) === kind) {
      select(typeSelection(id), 'types');
      return;
    }
  }
}
