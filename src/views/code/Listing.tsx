import { useEffect, useMemo, useState } from 'react';
import { type CodeListing, codeListing, type ListingRow } from '#analysis/code/code-listing.ts';
import { type InsnPlace, sectionSpan } from '#analysis/code/selection.ts';
import { relocationAtInsn } from '#analysis/relocations/by-place.ts';
import { jumpTarget } from '#formats/bpf/insn.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { bytesOf } from '#store/bytes-cache.ts';
import { select } from '#store/navigation.ts';
import { usePins } from '#store/pins.ts';
import type { FileId } from '#store/session.ts';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { wordTarget } from './InsnCell.tsx';
import styles from './Listing.module.css';
import { listingColumns } from './listing-columns.tsx';
import { litRow, selectionOfRow } from './listing-rows.ts';

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
        <span className="rigid small muted">
          {code === null ? '' : countOf(code.listing.insnCount, 'instruction')}
        </span>
        <span className="rigid small muted">{odd(model, section)}</span>
      </header>
      <div className="shrink-y">
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
  return rest === 0 ? '' : `${countOf(rest, 'byte')} left over`;
}

type Code = { readonly of: string; readonly bytes: Uint8Array };

/** The bytes of a code section and its listing; null while they are read. */
function useListing(
  id: FileId,
  model: ObjectModel,
  section: SectionIndex,
): { readonly bytes: Uint8Array; readonly listing: CodeListing } | null {
  const [code, setCode] = useState<Code | null>(null);
  const wanted = `${id}:${section}`;
  const span = sectionSpan(model, section);
  const start = span?.start ?? 0;
  const end = span?.end ?? 0;
  useEffect(() => {
    let isWanted = true;
    void bytesOf(id, start, end).then((bytes) => {
      if (isWanted) setCode({ of: wanted, bytes });
    });
    return () => {
      isWanted = false;
    };
  }, [id, start, end, wanted]);
  const bytes = code?.of === wanted ? code.bytes : null;
  return useMemo(
    () => (bytes === null ? null : { bytes, listing: codeListing(model, section, bytes) }),
    [model, section, bytes],
  );
}

/** Goes where the row points: a jump to its target, a relocation to its own view. */
function followRow(model: ObjectModel, section: SectionIndex, row: ListingRow | null): void {
  switch (row?.kind) {
    case 'insn': {
      const target = jumpTarget(row.insn);
      // What a relocated call holds is not yet where it goes.
      if (target === null || relocationAtInsn(model, section, row.insn.offset) !== null) return;
      select({ kind: 'insn', section, insnOff: target });
      return;
    }
    case 'word': {
      const target = wordTarget(model, section, row.insnOff, row.word);
      if (target === null) return;
      select({ kind: 'insn', section: target.section, insnOff: target.insnOff });
      return;
    }
    case 'relocation':
      select({ kind: 'relocation', reloc: row.reloc }, 'relocations');
      return;
    case 'core':
      select({ kind: 'core', core: row.core, step: null }, 'core');
  }
}
