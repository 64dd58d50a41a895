import { useMemo } from 'react';
import type { CodeListing } from '#analysis/code/code-listing.ts';
import { type InsnPlace, sectionSpan } from '#analysis/code/selection.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { usePins } from '#store/lesson/pins.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { followRow } from './follow-row.ts';
import styles from './Listing.module.css';
import { listingColumns } from './listing-columns.tsx';
import { litRow, selectionOfRow } from './listing-rows.ts';
import { useListing } from './use-listing.ts';

type ListingProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly selection: Selection;
  /** The instruction that is looked at. */
  readonly place: InsnPlace | null;
};

/** The disassembly of one section. */
export function Listing({ id, model, section, selection, place }: ListingProps) {
  const code = useListing(id, model, section);
  return (
    <section className={styles.listing} aria-labelledby="listing-title">
      <header className={styles.header}>
        <h2 id="listing-title" className={styles.title}>
          <Name text={sectionName(model.sections, section)} otherwise="(no name)" />
        </h2>
        <span className={styles.count}>
          {code === null ? '' : countOf(code.listing.insnCount, 'instruction')}
        </span>
        <span className={styles.count}>{odd(model, section)}</span>
      </header>
      <div className={styles.body}>
        {code === null ? (
          <p className={styles.waiting}>Reading the code…</p>
        ) : (
          <ListingTable
            id={id}
            model={model}
            section={section}
            selection={selection}
            place={place}
            {...code}
          />
        )}
      </div>
    </section>
  );
}

type ListingTableProps = ListingProps & {
  readonly bytes: Uint8Array;
  readonly listing: CodeListing;
};

function ListingTable(props: ListingTableProps) {
  const { id, model, section, selection, place, bytes, listing } = props;
  const pins = usePins(id);
  const isNarrow = useNarrow(719);
  const isWide = !useNarrow(1679);
  const columns = useMemo(
    () => listingColumns({ model, section, bytes, listing, isNarrow, isWide, pins }),
    [model, section, bytes, listing, isNarrow, isWide, pins],
  );
  const lit = place === null ? null : litRow(listing, place.insnOff, selection);
  return (
    <VirtualTable
      label="Instructions"
      columns={columns}
      count={listing.count}
      rowHeight={22}
      selectedIndex={lit}
      scrollToIndex={lit}
      onSelect={(index) => {
        const next = selectionOfRow(listing, section, index, lit);
        if (next !== null) select(next);
      }}
      onActivate={(index) => followRow(model, section, listing.rowAt(index))}
      emptyText="The section is too short for one instruction."
    />
  );
}

/** Bytes that are left over at the end of a section make no instruction. */
function odd(model: ObjectModel, section: SectionIndex): string {
  const span = sectionSpan(model, section);
  const rest = span === null ? 0 : (span.end - span.start) % insnSlot(model);
  return rest === 0 ? '' : `and ${countOf(rest, 'byte')} that are too few for one`;
}
