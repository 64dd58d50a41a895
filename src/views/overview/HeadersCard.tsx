import { useMemo } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { HeaderBlock, HeaderField, ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import type { ViewName } from '#store/session.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { type RowColumn, rowColumns } from './FileMap.tsx';
import styles from './HeadersCard.module.css';
import { OverviewCard } from './OverviewCard.tsx';

/** Every header of the file, field by field. */
export function HeadersCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  return (
    <OverviewCard title="Headers" aside="field by field, as the file states them">
      <div className={styles.blocks}>
        {model.headers.map((block) => (
          <Disclosure
            key={`${block.title}:${block.span.start}`}
            title={blockTitle(model, block)}
            isOpenAtFirst={model.headers.length === 1}
            aside={
              <span className={styles.aside}>
                {countOf(block.fields.length, 'field')} at {hexText(block.span.start)}
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

/** `BTF header` twice is told apart by the section it stands in. */
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
  const { fields } = block;
  const columns = useMemo(() => rowColumns((index) => fields[index], COLUMNS), [fields]);
  const selected = fields.findIndex(
    ({ span }) =>
      selection.kind === 'bytes' && span.start === selection.start && span.end === selection.end,
  );
  const go = (index: number, view?: ViewName) => {
    const field = fields[index];
    if (field !== undefined) showField(field, view);
  };
  return (
    <div style={{ height: tableHeight(fields.length, 32) }}>
      <LinkTable
        label={`Fields of the ${title}`}
        columns={columns}
        count={fields.length}
        selectedIndex={selected < 0 ? null : selected}
        onSelect={(index) => go(index)}
        onActivate={(index) => go(index, 'bytes')}
      />
    </div>
  );
}

function showField({ span }: HeaderField, view?: ViewName) {
  select({ kind: 'bytes', start: span.start, end: span.end }, view);
}

const COLUMNS: readonly RowColumn<HeaderField>[] = [
  {
    id: 'field',
    header: 'Field',
    width: 170,
    mono: true,
    grow: 1,
    cell: (field) => drawnName(field.name),
  },
  {
    id: 'value',
    header: 'Value',
    width: 110,
    mono: true,
    align: 'end',
    cell: (field) => drawnName(field.value),
  },
  {
    id: 'meaning',
    header: 'Meaning',
    width: 200,
    grow: 3,
    cell: (field) => drawnName(field.meaning),
  },
  {
    id: 'offset',
    header: 'Offset',
    width: 90,
    mono: true,
    align: 'end',
    cell: (field) => hexText(field.span.start),
  },
  {
    id: 'bytes',
    header: 'Bytes',
    width: 70,
    align: 'end',
    cell: (field) => field.span.end - field.span.start,
  },
];
