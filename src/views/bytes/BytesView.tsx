import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { placesReady } from '#analysis/code/places-ready.ts';
import { entriesByRole, relocationCountsRun } from '#analysis/relocations/sections.ts';
import { regionPiecesRun } from '#analysis/structure/regions.ts';
import { Derived, type Steps } from '#bytes/long-work.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { usePins } from '#store/session/pins.ts';
import { Landmark, scrollRegion } from '#ui/aria.tsx';
import { Callout } from '#ui/Callout.tsx';
import { MEDIUM, useNarrow } from '#ui/element-size.tsx';
import { useKeys } from '#ui/keys.tsx';
import { LayoutBar, useStatedLayout } from '#views/parts/LayoutBar.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { ByteDetail } from './ByteDetail.tsx';
import { BytesToolbar } from './BytesToolbar.tsx';
import styles from './BytesView.module.css';
import { FindBar } from './FindBar.tsx';
import { selectionOfField } from './field-links.ts';
import { HexArea, type Reading, useMarks, useReading } from './HexArea.tsx';
import { BYTES_KEYS } from './keys.ts';
import { RegionList, RegionSelect, SidePane } from './RegionList.tsx';
import {
  emptyNote,
  type OffsetBase,
  offsetShift,
  regionCount,
  sectionPlacesRun,
  storedNote,
} from './regions.ts';
import { legendOf, SelectionBar } from './SelectionBar.tsx';
import { StructureTree } from './StructureTree.tsx';
import { fieldsShown, type Places, usePlaces, useStructure } from './use-places.ts';

/** Shows the bytes of the file or of one section, with marks of relocations and types. */
export function BytesView() {
  const active = useActive();
  if (active === null) return null;
  const { id, model } = active;
  return (
    <WhenReady model={model} run={bytesReady.runOf(model)}>
      {() => <BytesPanel key={id} active={active} />}
    </WhenReady>
  );
}

/** Prepares the indexes that marks and fields need. */
const bytesReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* placesReady.runOf(model).join();
  yield* sectionPlacesRun(model.sections).join();
  yield* regionPiecesRun(model).join();
  yield* entriesByRole.runOf(model).join();
  yield* relocationCountsRun(model).join();
  return true;
});

/** Shows the list of sections, the hex view and the detail of one byte. */
function BytesPanel({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const isNarrow = useNarrow(MEDIUM);
  // A raw BTF file has no sections to choose from.
  const hasRegions = regionCount(model) > 1;
  const [base, setBase] = useState<OffsetBase>('file');
  const stated = useStatedLayout(id, model);
  const structure = useStructure(active);
  const places = usePlaces(active);
  const { region, lit } = places;
  const { section, start, length } = region;
  const hexRef = useRef<HTMLDivElement>(null);
  const find = useFindBar(hexRef, places);
  const shift = offsetShift(region.start, base);
  const legend = useMemo(
    () => legendOf(model, { section, start, length }),
    [model, section, start, length],
  );
  const bytes = useReading(active, region, shift, stated.layout);
  const { reading, shown } = bytes;
  const pins = usePins(id);
  const marks = useMarks(active, region, shift, bytes.getStored);
  const isEmpty = emptyNote(model, section) !== null;
  const tree = <StructureTree active={active} structure={structure} places={places} pins={pins} />;
  const detail = (
    <ByteDetail
      id={id}
      model={model}
      region={region}
      fileOffset={places.byte}
      chain={fieldsShown(active, structure, places)}
      onField={(field) => places.show(selectionOfField(model, field))}
      shown={shown}
    />
  );
  const copied = lit ?? (section === null || length === 0 ? null : { start, end: start + length });

  return (
    <div className={styles.view}>
      {isNarrow ? null : <PartsOfFile {...{ model, places, hasRegions, tree }} />}
      <div className={styles.main}>
        <BytesToolbar
          base={base}
          onBase={setBase}
          isSection={section !== null}
          space={{ base: start + shift, length, from: places.byte + shift }}
          onGo={(offset) => places.goTo(offset - shift)}
          hasRelocations={legend.some(({ tone }) => tone !== 'reloc-3' && tone !== 'muted')}
          onStep={places.step}
          reading={reading}
          onReading={bytes.setReading}
          isFinding={find.isOpen}
          onFind={find.toggle}
        >
          {isNarrow && hasRegions ? (
            <RegionSelect model={model} region={region} onPick={places.pickRow} />
          ) : null}
        </BytesToolbar>
        {find.isOpen ? (
          <FindBar
            key={`${section}`}
            id={id}
            region={{ start, end: start + length }}
            from={lit ?? { start: places.cursor - 1, end: places.cursor }}
            shift={shift}
            field={find.field}
            onFound={(match) => places.show({ kind: 'bytes', ...match })}
            onClose={find.close}
          />
        ) : null}
        <ReadingNotes model={model} section={section} reading={reading} stated={stated} />
        <HexArea
          {...{ model, places, shift, marks, hexRef, structure }}
          getBytes={bytes.getBytes}
          gridKey={`${section}:${base}`}
        />
        <SelectionBar id={id} span={copied} shift={shift} legend={legend} shown={shown} />
      </div>
      {isEmpty ? null : <AboutByte {...{ isNarrow, detail, tree }} />}
    </div>
  );
}

/** Returns the state of the find bar. Binds the keys of the view, such as the key that opens it. */
function useFindBar(hexRef: RefObject<HTMLElement | null>, places: Places) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useKeys(BYTES_KEYS, (action) => {
    if (action !== 'find') places.step(action);
    else if (isOpen) field.current?.select();
    else setOpen(true);
    return true;
  });
  return {
    isOpen,
    field,
    toggle: () => setOpen((is) => !is),
    close: () => {
      setOpen(false);
      hexRef.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
    },
  };
}

type PartsOfFileProps = {
  readonly model: ObjectModel;
  readonly places: Places;
  readonly hasRegions: boolean;
  readonly tree: ReactNode;
};

/** Shows the sections and the structure of the file. */
function PartsOfFile({ model, places, hasRegions, tree }: PartsOfFileProps) {
  if (!hasRegions) {
    return (
      <Landmark as="nav" className={styles.side} aria-label="Parts of the file">
        {tree}
      </Landmark>
    );
  }
  const regions = <RegionList model={model} region={places.region} onPick={places.pickRow} />;
  return <SidePane label="Parts of the file" panes={{ Regions: regions, Structure: tree }} />;
}

type AboutByteProps = {
  readonly isNarrow: boolean;
  readonly detail: ReactNode;
  readonly tree: ReactNode;
};

/** Shows the detail of one byte. In a narrow view, shows also the structure of the file. */
function AboutByte({ isNarrow, detail, tree }: AboutByteProps) {
  const byte = (
    <div className={isNarrow ? 'tall scroll-y' : styles.detail} {...scrollRegion('About the byte')}>
      {detail}
    </div>
  );
  if (!isNarrow) return byte;
  const label = 'About the byte, and the parts of the file';
  return <SidePane label={label} panes={{ Byte: byte, Structure: tree }} />;
}

type ReadingNotesProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex | null;
  readonly reading: Reading | null;
  readonly stated: ReturnType<typeof useStatedLayout>;
};

/** Shows notes on relocated, compressed and truncated bytes. */
function ReadingNotes({ model, section, reading, stated }: ReadingNotesProps) {
  const stored = storedNote(model, section);
  return (
    <>
      {reading === 'relocated' ? (
        <>
          <p className={styles.reading}>
            {stated.layout === null
              ? 'As relocated, with every section at address 0.'
              : 'As relocated under this layout.'}{' '}
            The file is unchanged.
          </p>
          {stated.layout === null ? null : <LayoutBar model={model} stated={stated} />}
        </>
      ) : null}
      {stored === null ? null : (
        <div className="pad-row">
          <Callout severity="note" title={stored.title}>
            {stored.text}
          </Callout>
        </div>
      )}
    </>
  );
}
