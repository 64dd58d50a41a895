import { useMemo } from 'react';
import { type DataString, stringsOf } from '#analysis/values/object-data.ts';
import type { Span } from '#bytes/span.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { stringLiteral } from '#print/value-text.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import styles from './detail.module.css';
import { fileSpan } from './found-data.ts';

type StringTableProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly bytes: Uint8Array | null;
  /** In bytes of the section. */
  readonly selected: Span | null;
};

/** The strings of a section that holds nothing else; a row selects the bytes of its string. */
export function StringTable({ model, section, bytes, selected }: StringTableProps) {
  const strings = useMemo(() => (bytes === null ? null : [...stringsOf(bytes)]), [bytes]);
  const columns = useMemo(() => columnsOf(strings ?? []), [strings]);
  if (strings === null) return null;
  const at = selected === null ? -1 : strings.findIndex((each) => holds(each, selected.start));
  const spanAt = (index: number) => {
    const string = strings[index];
    return string === undefined
      ? null
      : fileSpan(model, section, string.byteOffset, string.bytes.length + 1);
  };
  const choose = (index: number, view?: 'bytes') => {
    const span = spanAt(index);
    if (span !== null) select({ kind: 'bytes', ...span }, view);
  };
  return (
    <DetailSection title="Strings" aside={countOf(strings.length, 'string')}>
      <div className={styles.frame} style={{ height: tableHeight(strings.length, 18) }}>
        <VirtualTable
          label="Strings"
          columns={columns}
          count={strings.length}
          selectedIndex={at < 0 ? null : at}
          onSelect={(index) => choose(index)}
          onActivate={(index) => choose(index, 'bytes')}
          scrollToIndex={at < 0 ? null : at}
        />
      </div>
    </DetailSection>
  );
}

function holds({ byteOffset, bytes }: DataString, at: number): boolean {
  return at >= byteOffset && at <= byteOffset + bytes.length;
}

function columnsOf(strings: readonly DataString[]): TableColumn[] {
  const none = new Uint8Array(0);
  return [
    {
      id: 'offset',
      header: 'Offset',
      width: 80,
      align: 'end',
      mono: true,
      cell: (index) => hexText(strings[index]?.byteOffset ?? 0),
    },
    {
      id: 'text',
      header: 'String',
      width: 200,
      grow: 1,
      mono: true,
      // Escaped in C already: no byte of it reaches the page as it is.
      cell: (index) => stringLiteral(strings[index]?.bytes ?? none),
    },
    {
      id: 'size',
      header: 'Size',
      width: 64,
      align: 'end',
      mono: true,
      cell: (index) => grouped((strings[index]?.bytes.length ?? 0) + 1),
    },
  ];
}
