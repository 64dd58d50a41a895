import type { ReactNode } from 'react';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { coreState } from '#analysis/core/outcome.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { drawnName } from '#bytes/text.ts';
import { Badge } from '#ui/Badge.tsx';
import type { TableColumn } from '#ui/table-columns.ts';
import { groupTone } from '#views/core/parts/kind-group.ts';
import { changeText } from '#views/core/parts/result-text.ts';
import { StateMark } from '#views/core/parts/StateMark.tsx';
import { Name } from '#views/parts/Name.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './record-columns.module.css';
import { type CoreRow, insnNumber, valueText } from './record-rows.ts';

type Column = Omit<TableColumn, 'cell'> & { readonly cell: (row: CoreRow) => ReactNode };

/**
 * The columns of the table of records. `rowAt` gives the row that is drawn at an
 * index; `results` are there where a target is, and null while it has not answered.
 */
export function coreColumns(
  rowAt: (index: number) => CoreRow,
  target: { readonly results: readonly CoreResult[] | null } | null,
): TableColumn[] {
  const columns =
    target === null
      ? [INSN, ...EXPRESSION, LOCAL_VALUE, ...ROOT, ...WHERE]
      : [INSN, ...resultColumns(target.results), ...EXPRESSION, ...ROOT, ...WHERE];
  return columns.map((column) => ({ ...column, cell: (index) => column.cell(rowAt(index)) }));
}

function resultColumns(results: readonly CoreResult[] | null): Column[] {
  const cell = (draw: (result: CoreResult) => ReactNode) => {
    return ({ record }: CoreRow) => {
      const result = results?.[record.index];
      return result === undefined ? <span className="muted">…</span> : draw(result);
    };
  };
  return [
    {
      id: 'state',
      header: 'Target',
      width: 108,
      cell: cell((result) => <StateMark state={coreState(result)} />),
    },
    {
      id: 'change',
      header: 'Value',
      width: 124,
      grow: 1,
      mono: true,
      cell: cell((result) => <span title={drawnName(result.reason)}>{changeText(result)}</span>),
    },
  ];
}

const INSN: Column = {
  id: 'insn',
  header: 'Insn',
  width: 84,
  cell: ({ record }) => (
    <span
      className="small soft"
      title={`${drawnName(record.sectionName)}, byte ${hexText(record.insnOff)}; relo #${record.relocIndexInSection}`}
    >
      insn #{insnNumber(record)}
    </span>
  ),
};

const EXPRESSION: readonly Column[] = [
  {
    id: 'expression',
    header: 'C expression',
    width: 150,
    grow: 3,
    mono: true,
    cell: ({ path }) =>
      path === null ? null : (
        <span data-broken={path.error !== null} className={styles.expression}>
          {drawnName(path.expression)}
        </span>
      ),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 172,
    cell: ({ record }) => {
      const group = coreKind(record.kind)?.group;
      return (
        <span className="row gap-2">
          <span className="small mono">{record.kindName}</span>
          <Badge text={group ?? 'unknown'} tone={groupTone(group)} />
        </span>
      );
    },
  },
];

const ROOT: readonly Column[] = [
  {
    id: 'root',
    header: 'Root type',
    heading: <Term id="root-type">Root type</Term>,
    width: 154,
    grow: 2,
    mono: true,
    cell: ({ rootText }) => <Name text={rootText} />,
  },
  {
    id: 'access',
    header: 'Access',
    width: 80,
    mono: true,
    cell: ({ record }) => <Name text={record.accessStr} otherwise="(empty)" />,
  },
];

const LOCAL_VALUE: Column = {
  id: 'value',
  header: 'Local value',
  heading: <Term id="local-value">Local value</Term>,
  width: 100,
  align: 'end',
  mono: true,
  cell: ({ local }) =>
    local === null || local.value === null ? (
      <span className={styles.broken}>none</span>
    ) : (
      <span title={valueText(local.value)}>{`${local.value}`}</span>
    ),
};

const WHERE: readonly Column[] = [
  {
    id: 'function',
    header: 'Function',
    width: 130,
    grow: 1,
    cell: ({ record }) =>
      record.func === null ? null : <Name text={record.func.name} otherwise="(no name)" />,
  },
  {
    id: 'section',
    header: 'Section',
    width: 130,
    grow: 1,
    cell: ({ record }) => <Name text={record.sectionName} otherwise="(no name)" />,
  },
];
