import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sourceLine } from '#analysis/code/source-lines.ts';
import { mapFlagsText } from '#analysis/kernel/map-flags.ts';
import { mapTypeName } from '#analysis/kernel/map-types.ts';
import type { LoadCalls, MapCreate } from '#analysis/libbpf/calls.ts';
import { kernelName } from '#analysis/libbpf/object-maps.ts';
import {
  funcInfoOf,
  type LoadedRecord,
  lineInfoOf,
  type ProgLoad,
} from '#analysis/libbpf/program-parts.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { type Active, useAnswer } from '#store/session/hooks.ts';
import { Landmark } from '#ui/aria.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import type { KeyValueItem } from '#ui/KeyValue.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { rowRenderer } from '#ui/VirtualList.tsx';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { ListPane } from '#views/parts/ListPane.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { TermText } from '#views/parts/Term.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './CallsPane.module.css';
import { CALL_STEPS, type CallRow, callRows } from './calls-text.ts';
import { Detail } from './Detail.tsx';

/** Shows libbpf's system calls for the object, and what a tool can ask the kernel afterwards. */
export function CallsPane({ active }: { readonly active: Active }) {
  const answer = useAnswer(active.id, 'loadCalls', null);
  if (answer.step === 'failed') {
    return (
      <Callout severity="error" title="The system calls could not be worked out">
        {drawnName(answer.issue.message)}
      </Callout>
    );
  }
  if (answer.step === 'waiting') return <p className={styles.waiting}>Following the calls…</p>;
  const calls = answer.value;
  if (calls === null || calls.stopped !== null) {
    return <EmptyState title="No system calls" text={drawnName(calls?.stopped ?? '')} />;
  }
  return <Calls active={active} calls={calls} />;
}

/** Shows the system calls as a diagram and as a list, and one call in detail. */
export function Calls({ active, calls }: { readonly active: Active; readonly calls: LoadCalls }) {
  const { model, selection } = active;
  const rows = useMemo(() => callRows(calls), [calls]);
  const [clicked, setClicked] = useState<number | null>(null);
  const renderRow = useMemo(
    () => rowRenderer(rows, (row) => <CallLine row={row} calls={calls} />),
    [rows, calls],
  );
  const selected = rows.findIndex((row) => {
    const rowSelection = selectionOf(row);
    return rowSelection !== null && sameSelection(rowSelection, selection);
  });
  const index = clicked ?? Math.max(0, selected);
  const open = rows[index];
  const go = (at: number, isActivated = false) => {
    const row = rows[at];
    if (row === undefined) return;
    setClicked(at);
    const next = selectionOf(row);
    if (next !== null) select(next, isActivated ? viewOf(row) : undefined);
  };
  return (
    <div className={styles.pane}>
      <ListPane
        label="System calls"
        toolbar={
          <Workflow
            calls={calls}
            current={open?.step.id ?? 'btf-load'}
            onStep={(id) => go(rows.findIndex((row) => row.step.id === id))}
          />
        }
        count={rows.length}
        rowHeight={46}
        selectedIndex={index}
        onSelect={(at) => go(at)}
        onActivate={(at) => go(at, true)}
        renderRow={renderRow}
        emptyText="No system calls"
        more={calls.morePrograms === 0 ? '' : `and ${countOf(calls.morePrograms, 'more program')}`}
        detail={open === undefined ? null : <CallDetail row={open} calls={calls} model={model} />}
      />
    </div>
  );
}

/** Returns what a row selects: a map's variable or section, a program's first instruction. */
function selectionOf(row: CallRow): Selection | null {
  if (row.of === 'map') return row.call.map.selection;
  const first = row.of === 'program' ? row.program.parts[0] : undefined;
  return first === undefined
    ? null
    : { kind: 'insn', section: first.section, insnOff: first.start };
}

function viewOf(row: CallRow): 'data' | 'code' {
  return row.of === 'map' ? 'data' : 'code';
}

type WorkflowProps = {
  readonly calls: LoadCalls;
  readonly current: string;
  readonly onStep: (id: string) => void;
};

/** Shows two rows of calls: those of the application and those of an introspection tool. */
function Workflow({ calls, current, onStep }: WorkflowProps) {
  return (
    <div className={styles.workflow}>
      {(['Application', 'Introspection tool'] as const).map((who) => (
        <div key={who} className={styles.lane}>
          <h3 className={styles.who}>{who}</h3>
          <ol className={styles.steps} aria-label={`Calls of the ${who.toLowerCase()}`}>
            {CALL_STEPS.filter((step) => step.who === who).map(
              ({ id, command, summary }, place) => (
                <li key={id} className="row shrink">
                  {place === 0 ? null : (
                    <ChevronRight size={14} aria-hidden className={styles.arrow} />
                  )}
                  <button
                    type="button"
                    className={styles.step}
                    aria-pressed={id === current}
                    disabled={isAbsent(id, calls)}
                    onClick={() => onStep(id)}
                  >
                    <span className="mono break">{command}</span>{' '}
                    <span className="small soft">{summary(calls)}</span>
                  </button>
                </li>
              ),
            )}
          </ol>
        </div>
      ))}
    </div>
  );
}

/** Returns true if loading the object does not need the call. */
function isAbsent(id: string, { maps, programs }: LoadCalls): boolean {
  return (
    (id === 'map-create' && maps.length === 0) || (id === 'prog-load' && programs.length === 0)
  );
}

function CallLine({ row, calls }: { readonly row: CallRow; readonly calls: LoadCalls }) {
  return (
    <span className={styles.row}>
      <span className="clip mono">{row.step.command}</span>
      <span className="gap-3 shrink small mono muted flex">
        {row.of === 'map' ? (
          <>
            <Name text={row.call.map.name} otherwise="(no name)" />
            <span className="clip">
              key [{row.call.keyTypeId}], value [{row.call.valueTypeId}]
            </span>
          </>
        ) : row.of === 'program' ? (
          <>
            <Name text={row.program.name} otherwise="(no name)" />
            <span className="clip">{countOf(row.program.insnCount, 'slot')}</span>
          </>
        ) : (
          <span className="clip">{row.step.summary(calls)}</span>
        )}
      </span>
    </span>
  );
}

type CallDetailProps = {
  readonly row: CallRow;
  readonly calls: LoadCalls;
  readonly model: ObjectModel;
};

function CallDetail({ row, calls, model }: CallDetailProps) {
  const { who, command, about } = row.step;
  const selection = selectionOf(row);
  return (
    <>
      <Detail
        mark={<TermText text={who} />}
        title={<TermText text={command} />}
        line={about}
        actions={
          selection === null ? undefined : (
            <SelectButton selection={selection} view={viewOf(row)}>
              {row.of === 'map' ? 'Show in Data' : 'Show in Code'}
            </SelectButton>
          )
        }
        facts={factsOf(row, calls, model)}
      />
      {row.of === 'program' ? <Records program={row.program} model={model} /> : null}
    </>
  );
}

function factsOf(row: CallRow, calls: LoadCalls, model: ObjectModel): readonly KeyValueItem[] {
  if (row.of === 'map') return mapFacts(row.call, model);
  if (row.of === 'program') return programFacts(row.program, calls);
  return row.step.facts(calls).map(([term, value]) => ({ term, value }));
}

function mono(term: string, value: KeyValueItem['value']): KeyValueItem {
  return { term, value, isMono: true };
}

function mapFacts(call: MapCreate, { types }: ObjectModel): readonly KeyValueItem[] {
  const { map, maxEntries, hasBtf, keyTypeId, valueTypeId, reason } = call;
  const type = (id: number) =>
    types === null || id === 0 ? (
      '0'
    ) : (
      <span className="row gap-2 shrink">
        <span className="mono">{id}</span>
        <TypeLink types={types} type={typeId(id)} badge />
      </span>
    );
  const facts = [
    mono('map_name', <Name text={map.kernelName} otherwise="(no name)" />),
    mono('map_type', mapTypeName(map.type)),
    mono('key_size', grouped(map.keySize)),
    mono('value_size', grouped(map.valueSize)),
    mono('max_entries', maxEntries === null ? 'number of CPUs' : grouped(maxEntries)),
    mono('map_flags', mapFlagsText(map.flags)),
    mono('map_extra', hexText(map.extra)),
    mono('btf_fd', hasBtf ? 'of BPF_BTF_LOAD' : '0'),
    mono('btf_key_type_id', type(keyTypeId)),
    mono('btf_value_type_id', type(valueTypeId)),
  ];
  if (reason !== '') facts.push({ term: 'Why', value: reason });
  if (!map.autocreate)
    facts.push({ term: 'Created', value: 'only when asked for: its section begins with ?' });
  return facts;
}

function programFacts(program: ProgLoad, calls: LoadCalls): readonly KeyValueItem[] {
  const { insnCount, parts, funcInfoCount, lineInfoCount, fault, autoload } = program;
  const subprograms = parts.length - 1;
  const appended = `, with ${countOf(subprograms, 'subprogram')} appended`;
  const facts = [
    mono('prog_name', <Name text={kernelName(program.name)} otherwise="(no name)" />),
    mono('insn_cnt', `${grouped(insnCount)}${subprograms === 0 ? '' : appended}`),
    mono('prog_btf_fd', 'of BPF_BTF_LOAD'),
    mono('func_info_rec_size', calls.funcInfoRecSize),
    mono('func_info_cnt', grouped(funcInfoCount)),
    mono('line_info_rec_size', calls.lineInfoRecSize),
    mono('line_info_cnt', grouped(lineInfoCount)),
  ];
  if (fault !== '') facts.push({ term: 'Fails', value: drawnName(fault) });
  if (!autoload)
    facts.push({ term: 'Loaded', value: 'only when asked for: its section begins with ?' });
  return facts;
}

/** Record with the selection of its instruction. */
type PlacedRecord = LoadedRecord & { readonly selection: Selection };

function placed(
  records: readonly LoadedRecord[],
  table: { readonly section: Int32Array; readonly insnOff: Uint32Array },
): PlacedRecord[] {
  return records.map((record) => ({
    ...record,
    selection: {
      kind: 'insn',
      section: sectionIndex(table.section[record.row] ?? 0),
      insnOff: table.insnOff[record.row] ?? 0,
    },
  }));
}

/** Shows func_info and line_info as the kernel receives them. A row leads to its instruction. */
function Records({ program, model }: { readonly program: ProgLoad; readonly model: ObjectModel }) {
  const functions = useMemo(
    () => placed(funcInfoOf(model, program), model.ext.func),
    [model, program],
  );
  const lines = useMemo(() => placed(lineInfoOf(model, program), model.ext.line), [model, program]);
  const columns = useMemo(() => recordColumns(model), [model]);
  return (
    <div className={styles.records}>
      <RecordTable label="func_info" records={functions} columns={columns.functions} />
      <RecordTable label="line_info" records={lines} columns={columns.lines} />
    </div>
  );
}

type RecordTableProps = {
  readonly label: string;
  readonly records: readonly PlacedRecord[];
  readonly columns: readonly RowColumn<PlacedRecord>[];
};

function RecordTable({ label, records, columns }: RecordTableProps) {
  return records.length === 0 ? null : (
    <Landmark aria-label={label}>
      <h4 className={styles.recordsTitle}>
        {label} <span className="small muted">{countOf(records.length, 'record')}</span>
      </h4>
      <SelectionTable
        label={label}
        rows={records}
        columns={columns}
        most={8}
        selectionOf={({ selection }) => selection}
        view="code"
      />
    </Landmark>
  );
}

function recordColumns(model: ObjectModel) {
  const { types, ext } = model;
  const insnOff = column<PlacedRecord>('insn', 'insn_off', 84, (record) => record.insnOff, NUMBER);
  const functions: RowColumn<PlacedRecord>[] = [
    insnOff,
    column('type', 'type_id', 84, ({ row }) => ext.func.typeId[row] ?? 0, NUMBER),
    column(
      'func',
      'Function',
      180,
      ({ row }) =>
        types === null ? null : (
          <TypeLink types={types} type={typeId(ext.func.typeId[row] ?? 0)} badge />
        ),
      { grow: 1 },
    ),
  ];
  const lines: RowColumn<PlacedRecord>[] = [
    insnOff,
    column(
      'place',
      'Line, column',
      110,
      ({ row }) => {
        const { line, column: at } = sourceLine(model, row);
        return `${line}, ${at}`;
      },
      NUMBER,
    ),
    column('text', 'Source', 220, ({ row }) => <Name text={sourceLine(model, row).text.trim()} />, {
      grow: 1,
      mono: true,
    }),
  ];
  return { functions, lines };
}
