import type { Value } from '#analysis/values/decode.ts';
import { drawnName } from '#bytes/text.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { previewText } from '#views/data/value-preview.ts';
import type { DecodeTypes } from './decode-state.ts';
import { type Decoder, type DumpRow, decoded, hexLine } from './dump-rows.ts';

/** Key and value of each entry in a line; the CPU where each has its own. */
export function dumpColumns(
  decoder: Decoder,
  types: DecodeTypes,
  rows: readonly DumpRow[],
): TableColumn[] {
  const cell = (draw: (row: DumpRow) => React.ReactNode) => (index: number) => {
    const row = rows[index];
    return row === undefined ? null : draw(row);
  };
  const text = (value: Value | null, bytes: Uint8Array | null) => {
    if (bytes === null) return 'none';
    return <bdi>{value === null ? hexLine(bytes) : drawnName(previewText(value))}</bdi>;
  };
  const columns: TableColumn[] = [
    {
      id: 'key',
      header: 'Key',
      width: 130,
      grow: 1,
      mono: true,
      cell: cell(({ key }) => text(decoded(decoder, types.key, key), key)),
    },
    {
      id: 'value',
      header: 'Value',
      width: 170,
      grow: 2,
      mono: true,
      cell: cell(({ bytes }) => text(decoded(decoder, types.value, bytes), bytes)),
    },
  ];
  if (rows.some(({ cpu }) => cpu !== null)) {
    columns.splice(1, 0, {
      id: 'cpu',
      header: 'CPU',
      width: 50,
      align: 'end',
      mono: true,
      cell: cell(({ cpu }) => cpu ?? ''),
    });
  }
  return columns;
}
