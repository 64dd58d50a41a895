import { useMemo } from 'react';
import { mapFlagsText } from '#analysis/kernel/map-flags.ts';
import { shortMapType } from '#analysis/kernel/map-types.ts';
import type { MapPart } from '#analysis/libbpf/map-attributes.ts';
import type { MapDefinition } from '#analysis/libbpf/map-definitions.ts';
import { selectionOfVariable, variableValue } from '#analysis/values/variables.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { CutName } from '#views/parts/Name.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { typeWord } from './DataListPane.tsx';
import { type Data, type DataEntry, placeOf, selectionOfEntry } from './data-entries.ts';
import styles from './detail.module.css';
import { previewText } from './value-text.ts';

type VariableTableProps = {
  readonly model: ObjectModel;
  readonly data: Data;
  readonly entries: readonly DataEntry[];
};

/** Shows the variables of a section with their values. */
export function VariableTable({ model, data: { sectionBytes }, entries }: VariableTableProps) {
  const columns = useMemo((): RowColumn<DataEntry>[] => {
    const type = (entry: DataEntry) => {
      const ownType = entry.kind === 'variable' ? entry.variable.type : null;
      return model.types === null || ownType === null ? (
        drawnName(typeWord(model, entry))
      ) : (
        <TypeLink types={model.types} type={ownType} />
      );
    };
    const value = (entry: DataEntry) => {
      if (entry.kind !== 'variable') return null;
      const decoded = variableValue(model, sectionBytes, entry.variable);
      return decoded === null ? null : <bdi>{drawnName(previewText(decoded))}</bdi>;
    };
    const size = (entry: DataEntry) => {
      const byteSize = placeOf(entry)?.byteSize ?? null;
      return byteSize === null ? '' : shortSize(BigInt(Math.max(0, byteSize)));
    };
    const offset = (entry: DataEntry) => placeOf(entry)?.byteOffset ?? null;
    const isPlaced = entries.some((entry) => offset(entry) !== null);
    const placed: RowColumn<DataEntry>[] = [
      column('value', 'Value', 180, value, { grow: 3, mono: true }),
      column('offset', 'Offset', 70, (entry) => offsetCell(offset(entry) ?? 0), NUMBER),
    ];
    return [
      column('name', 'Name', 150, ({ name }) => <CutName text={name} />, { grow: 2 }),
      column('type', 'Type', 140, type, { grow: 2 }),
      ...(isPlaced ? placed : []),
      column('size', 'Size', 60, (entry) => size(entry), NUMBER),
    ];
  }, [model, sectionBytes, entries]);
  return (
    <SelectionTable
      label="Variables"
      rows={entries}
      columns={columns}
      most={18}
      selectionOf={selectionOfEntry}
      className={styles.frame}
    />
  );
}

type MapTableProps = {
  readonly model: ObjectModel;
  readonly entries: readonly DataEntry[];
};

/** Shows maps with their attributes. */
export function MapTable({ model, entries }: MapTableProps) {
  const maps = useMemo(
    () => entries.flatMap((entry) => (entry.kind === 'map' ? [entry.map] : [])),
    [entries],
  );
  const columns = useMemo(
    (): RowColumn<MapDefinition>[] => [
      column('name', 'Map', 130, ({ name }) => <CutName text={name} />, { grow: 2 }),
      column('type', 'Type', 130, (map) => shortMapType(map.mapTypeName), { grow: 1, mono: true }),
      column('key', 'Key', 160, ({ key }) => <Part model={model} part={key} />, { grow: 2 }),
      column('value', 'Value', 150, ({ value }) => <Part model={model} part={value} />, {
        grow: 2,
      }),
      column(
        'max',
        'Max entries',
        116,
        ({ maxEntries: max }) => (max === null ? '' : grouped(max)),
        NUMBER,
      ),
      column('more', 'More', 86, moreText, { grow: 1 }),
    ],
    [model],
  );
  return (
    <SelectionTable
      label="Maps"
      rows={maps}
      columns={columns}
      most={18}
      selectionOf={selectionOfVariable}
      className={styles.frame}
    />
  );
}

/** Shows the key or the value of a map: a link to its type, and its size. */
export function Part({ model, part }: { readonly model: ObjectModel; readonly part: MapPart }) {
  const { type, byteSize } = part;
  const size = byteSize === null ? '' : countOf(byteSize, 'byte');
  if (model.types === null || type === null)
    return <span className="rigid small muted">{size}</span>;
  return (
    <span className={styles.part}>
      <TypeLink types={model.types} type={type} />
      <span className="rigid small muted">{size}</span>
    </span>
  );
}

function moreText({ mapFlags, pinning, slots, inner, faults }: MapDefinition): string {
  const words: string[] = [];
  if (faults.length > 0) words.push(countOf(faults.length, 'fault'));
  if (slots.length > 0) words.push(countOf(slots.length, 'slot'));
  else if (inner !== null) words.push(inner === 'program' ? 'programs' : 'maps');
  if (pinning !== null && pinning !== 0n) words.push('pinned');
  if (mapFlags !== null && mapFlags !== 0n) words.push(mapFlagsText(mapFlags));
  return words.join(', ');
}
