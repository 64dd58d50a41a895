import { useMemo } from 'react';
import { mapFlagsText } from '#analysis/kernel/map-flags.ts';
import { mapTypeName, shortMapType } from '#analysis/kernel/map-types.ts';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import type { MapAttributes, MapPart } from '#analysis/libbpf/map-attributes.ts';
import { objectMaps } from '#analysis/libbpf/object-maps.ts';
import { failureText } from '#analysis/libbpf/outcome.ts';
import { type ProgramRow, ProgramRows } from '#analysis/libbpf/programs.ts';
import { type ProgramLoads, programLoads } from '#analysis/load/program-problems.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { dataSymbolsRun, selectionOfVariable } from '#analysis/values/variables.ts';
import { counted, hexText } from '#bytes/text.ts';
import type { SymbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { useJudgedKernels } from '#store/kernels/judged-kernels.ts';
import type { Active } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { column, type RowColumn } from '#ui/table-columns.ts';
import { OutcomeIcon } from '#views/parts/core/StateMark.tsx';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { CutName } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { useMapBytes, useSectionBytes } from '#views/parts/use-section-bytes.ts';
import { useRun } from '#views/parts/WhenReady.tsx';
import { nameOrNothing, OverviewCard } from './OverviewCard.tsx';

type ProgramsCardProps = Active & {
  /** Functions of the file; null until they are found. */
  readonly functions: readonly FunctionRange[] | null;
};

/** Shows the programs with the type that libbpf gives them; hidden for a file without code. */
export function ProgramsCard({ id, model, functions, selection }: ProgramsCardProps) {
  const rows = useMemo(
    () => (functions === null ? null : new ProgramRows(model)),
    [model, functions],
  );
  const kernels = useJudgedKernels(id);
  const columns = useMemo(() => {
    const [first, ...others] = PROGRAM_COLUMNS;
    if (kernels.length === 0 || first === undefined) return PROGRAM_COLUMNS;
    return [first, kernelsColumn(programLoads(kernels), kernels.length), ...others];
  }, [kernels]);
  if (rows === null) {
    return isBpf(model) ? (
      <OverviewCard title="Programs" about="Reading the code…">
        {null}
      </OverviewCard>
    ) : null;
  }
  if (rows.length === 0) return null;
  return (
    <OverviewCard title="Programs" aside={countsText(rows)} isFlush>
      <SelectionTable
        label="Programs"
        rows={rows}
        columns={columns}
        most={10}
        selectedIndex={rows.rowOf(selection)}
        selectionOf={({ func }) => ({ kind: 'insn', section: func.section, insnOff: func.start })}
        view="code"
      />
    </OverviewCard>
  );
}

function countsText({ length, programCount }: ProgramRows): string {
  const rest = length - programCount;
  return rest === 0
    ? countOf(programCount, 'program')
    : `${countOf(programCount, 'program')}, ${countOf(rest, 'subprogram')}`;
}

const PROGRAM_COLUMNS: readonly RowColumn<ProgramRow>[] = [
  column('function', 'Function', 180, ({ func }) => <CutName text={func.name} />, {
    grow: 2,
  }),
  column('section', 'Section', 150, (row) => <CutName text={row.sectionName} />, {
    grow: 2,
  }),
  column('kind', 'Program type', 156, programKind, {
    heading: <Term id="program-section">Program type</Term>,
  }),
  column('attach', 'Attaches to', 130, (row) => nameOrNothing(row.attachTo), { grow: 2 }),
  column('insns', 'Slots', 92, (row) => grouped(row.insnCount), {
    heading: <Term id="insn">Slots</Term>,
    align: 'end',
  }),
  column('core', 'CO-RE', 96, (row) => (row.coreCount === 0 ? '' : grouped(row.coreCount)), {
    heading: <Term id="core">CO-RE</Term>,
    align: 'end',
  }),
];

/** Returns the column that says on how many of `count` open kernels a program loads. */
function kernelsColumn(loads: ReadonlyMap<string, ProgramLoads>, count: number) {
  return column<ProgramRow>('kernels', 'Kernels', 132, ({ func }) => {
    const found = func.isProgram ? loads.get(func.name) : undefined;
    if (found === undefined) return null;
    return (
      <span className="row gap-1">
        <OutcomeIcon outcome={found.outcome} size={14} />
        {`loads on ${found.loads} of ${count}`}
      </span>
    );
  });
}

function programKind(row: ProgramRow) {
  if (row.kind !== '') return row.kind;
  return row.func.isProgram ? 'unknown' : 'subprogram';
}

/** Shows the maps with links to the view Data; hidden if there are none. */
export function MapsCard(props: Active) {
  const isReady = useRun(dataSymbolsRun(props.model)) !== null;
  return isReady ? <Maps {...props} /> : null;
}

function Maps({ id, model, selection }: Active) {
  const mapBytes = useMapBytes(model, useSectionBytes(id, model));
  const rows = useMemo(() => mapRows(model, mapBytes), [model, mapBytes]);
  if (rows.length === 0) return null;
  return (
    <OverviewCard title="Maps" aside={countOf(rows.length, 'map')} isFlush>
      <SelectionTable
        label="Maps"
        rows={rows}
        columns={MAP_COLUMNS}
        most={10}
        selectedIndex={mapOfSelection(rows, selection)}
        selectionOf={(row) => row.selection}
        view="data"
      />
    </OverviewCard>
  );
}

const MAP_COLUMNS: readonly RowColumn<MapRow>[] = [
  column('name', 'Map', 150, (row) => <CutName text={row.name} />, {
    grow: 2,
  }),
  column('type', 'Type', 160, (row) => nameOrNothing(row.type), { grow: 1 }),
  column('key', 'Key', 132, (row) => nameOrNothing(row.key), { grow: 1 }),
  column('value', 'Value', 140, (row) => nameOrNothing(row.value), { grow: 1 }),
  column('max', 'Max entries', 116, ({ maxEntries: max }) => (max === null ? null : grouped(max)), {
    align: 'end',
  }),
  column('more', 'More', 112, (row) => nameOrNothing(row.more), { grow: 1 }),
];

/** A map in the table. Names in its texts are not escaped. */
type MapRow = {
  readonly name: string;
  /** Selection of the VAR, symbol, section or DATASEC that defines the map; null without one. */
  readonly selection: Selection | null;
  readonly symbol: SymbolIndex | null;
  /** Type of the map without the prefix `BPF_MAP_TYPE_`. */
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly maxEntries: bigint | null;
  /** Other attributes of the map: `BPF_F_MMAPABLE, pinning 1`. */
  readonly more: string;
};

/** Returns the maps that libbpf creates. `sectionBytes` reads the legacy section `maps`. */
export function mapRows(model: ObjectModel, sectionBytes: SectionBytes): MapRow[] {
  if (!isBpf(model)) return [];
  return [
    ...definedMaps(model, sectionBytes).map((map) => ({
      type: shortMapType(map.mapTypeName),
      key: partText(model, map.key),
      value: partText(model, map.value),
      maxEntries: map.maxEntries,
      more: moreText(map),
      name: map.name,
      selection: selectionOfVariable(map),
      symbol: map.symbol,
    })),
    ...objectMaps(model)
      .filter(({ section }) => section !== '.maps')
      .map(({ name, section, selection, type, maxEntries, structOps, ...map }) => ({
        name: structOps === null ? section : name,
        selection,
        symbol: null,
        type: shortMapType(mapTypeName(type)),
        key: partText(model, { type: null, byteSize: map.keySize }),
        value: partText(model, { type: structOps?.variable.type ?? null, byteSize: map.valueSize }),
        maxEntries,
        more: structOps === null || map.flags === 0n ? '' : mapFlagsText(map.flags),
      })),
  ];
}

function partText({ types }: ObjectModel, { type, byteSize }: MapPart): string {
  // Do not group the digits: the narrow space between groups would be shown as an escape.
  const size = byteSize === null ? '' : counted(byteSize, 'byte');
  return types === null || type === null ? size : `${typeExpression(types, type)}, ${size}`;
}

function moreText({ mapFlags, mapExtra, numaNode, pinning, inner, faults }: MapAttributes): string {
  const words: string[] = [];
  if (mapFlags !== null) words.push(mapFlagsText(mapFlags));
  if (mapExtra !== null) words.push(`map_extra ${hexText(mapExtra)}`);
  if (numaNode !== null) words.push(`numa_node ${numaNode}`);
  if (pinning !== null) words.push(`pinning ${pinning}`);
  if (inner !== null) words.push(inner === 'program' ? 'holds programs' : 'holds maps');
  return [...words, ...faults.map(failureText)].join(', ');
}

/** Returns the row of the selected map, found by VAR, symbol or section; -1 for none. */
export function mapOfSelection(rows: readonly MapRow[], selection: Selection): number {
  return rows.findIndex(
    (row) =>
      (row.selection !== null && sameSelection(row.selection, selection)) ||
      (selection.kind === 'symbol' && selection.symbol === row.symbol),
  );
}
