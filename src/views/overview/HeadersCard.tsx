import { drawnName } from '#bytes/text.ts';
import type { HeaderBlock, HeaderField, ObjectModel } from '#model/object-model.ts';
import { sectionAt, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import styles from './HeadersCard.module.css';
import { OverviewCard } from './OverviewCard.tsx';

/** Every header of the file, field by field. */
export function HeadersCard({ model, selection }: Active) {
  return (
    <OverviewCard title="Headers" aside="raw fields">
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
  column('offset', 'Offset', 90, ({ span }) => hexText(span.start), NUMBER),
  column('bytes', 'Bytes', 70, ({ span }) => span.end - span.start, { align: 'end' }),
];
