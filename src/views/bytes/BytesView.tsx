import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { placesReady } from '#analysis/code/places-ready.ts';
import type { StructureField } from '#analysis/fields/field.ts';
import { entriesByRole, relocationCountsRun } from '#analysis/relocations/sections.ts';
import { regionPiecesRun } from '#analysis/structure/regions.ts';
import { Derived, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING } from '#model/selection.ts';
import { useSettings } from '#store/kept/settings.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { usePins } from '#store/session/pins.ts';
import { Callout } from '#ui/Callout.tsx';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { HexGrid } from '#ui/HexGrid.tsx';
import { ASCII_GAP, hexWidth, OFFSET_PADDING, offsetDigits } from '#ui/hex-marks.ts';
import { useKeys } from '#ui/keys.ts';
import { Landmark } from '#ui/Landmark.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { useElementWidth } from '#ui/use-element-size.ts';
import { MEDIUM, useNarrow } from '#ui/ViewWidth.tsx';
import { LayoutBar, useStatedLayout } from '#views/parts/LayoutBar.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { ByteDetail } from './ByteDetail.tsx';
import { BytesToolbar } from './BytesToolbar.tsx';
import styles from './BytesView.module.css';
import { pinMarks, shiftedMarks, withPins, withUses } from './byte-marks.ts';
import { asRelocated, asStored, canRelocate, type Reading } from './copy-bytes.ts';
import { FindBar } from './FindBar.tsx';
import { activate, selectionOfField } from './field-links.ts';
import { BYTES_KEYS } from './keys.ts';
import { RegionList, RegionSelect, SidePane } from './RegionList.tsx';
import { emptyNote, type OffsetBase, offsetShift, regionCount, storedNote } from './regions.ts';
import { legendOf, SelectionBar } from './SelectionBar.tsx';
import { StructureTree } from './StructureTree.tsx';
import { sectionPlacesRun } from './section-places.ts';
import { fieldsShown, usePlaces, useStructure } from './use-places.ts';

/** The bytes of the file, section by section, with what relocations change in them. */
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

/** What marks and owners are found by. */
const bytesReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* placesReady.runOf(model).join();
  yield* sectionPlacesRun(model.sections).join();
  yield* regionPiecesRun(model).join();
  yield* entriesByRole.runOf(model).join();
  yield* relocationCountsRun(model).join();
  return true;
});

/** Only these bits of the byte are marked: a part of its ground. */
function bitClass(from: number, to: number): string {
  return classNames(styles.bits, styles[`from${from}`], styles[`to${to}`]);
}

function pinClass(isLit: boolean): string {
  return (isLit ? styles.litPin : styles.pin) ?? '';
}

/** The bytes of one file: regions, the hex view, and what is known of the byte under the pointer. */
function BytesPanel({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const isNarrow = useNarrow(MEDIUM);
  // A raw BTF blob has no sections, so there is nothing to choose from.
  const hasRegions = regionCount(model) > 1;
  const [base, setBase] = useState<OffsetBase>('file');
  const [chosenReading, setReading] = useState<Reading>('stored');
  const stated = useStatedLayout(id, model);
  const { layout } = stated;
  const [isFinding, setFinding] = useState(false);
  const structure = useStructure(active);
  const { version } = structure;
  const hexRef = useRef<HTMLDivElement>(null);
  const hexWidth = useElementWidth(hexRef);
  const isResting = usePointerRest(hexRef);
  const places = usePlaces(active);
  const { region, lit } = places;
  const toggleFind = () => setFinding((is) => !is);
  const findField = useRef<HTMLInputElement>(null);
  const closeFind = () => {
    setFinding(false);
    hexRef.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  useKeys(BYTES_KEYS, (action) => {
    if (action !== 'find') places.step(action);
    else if (isFinding) findField.current?.select();
    else setFinding(true);
    return true;
  });

  const shift = offsetShift(region.start, base);
  const { section, start, length } = region;
  const legend = useMemo(
    () => legendOf(model, { section, start, length }),
    [model, section, start, length],
  );
  const reading = useMemo(
    () => (canRelocate(model, section) ? chosenReading : null),
    [model, section, chosenReading],
  );
  const shown = useMemo(
    () =>
      reading === 'relocated' && section !== null ? asRelocated(model, section, layout) : asStored,
    [model, section, reading, layout],
  );
  // Marks tell of the instructions that stand in the file, however they are shown.
  const getStored = useCallback(
    (from: number, to: number) => bytesNow(id, from - shift, to - shift),
    [id, shift],
  );
  const getBytes = useCallback(
    (from: number, to: number) => {
      const bytes = getStored(from, to);
      return bytes === null ? null : shown(from - shift, bytes);
    },
    [getStored, shown, shift],
  );
  // Bytes that are merely selected change no mark, so that a drag draws only its own rows.
  const { kind } = active.selection;
  const marked = kind === 'relocation' || kind === 'core' ? active.selection : NOTHING;
  const pins = usePins(id);
  const highlight = usePaneHighlight();
  const ownMarks = useMemo(
    () =>
      shiftedMarks(model, section, shift, {
        read: getStored,
        lit: marked,
        litClass: styles.litMark ?? '',
        bitClass,
      }),
    [model, section, shift, getStored, marked],
  );
  const marks = useMemo(
    () =>
      withPins(
        highlight === null ? ownMarks : withUses(ownMarks, highlight, shift, styles.use ?? ''),
        pinMarks(pins, shift, pinClass),
      ),
    [ownMarks, highlight, pins, shift],
  );
  const empty = emptyNote(model, section);
  const stored = storedNote(model, section);
  const chain = fieldsShown(active, structure, places);
  const pickField = (owner: StructureField) => places.show(selectionOfField(model, owner));
  const tree = <StructureTree active={active} structure={structure} places={places} pins={pins} />;
  const detail = (
    <ByteDetail
      id={id}
      model={model}
      region={region}
      fileOffset={places.byte}
      chain={chain}
      onField={pickField}
      shown={shown}
    />
  );
  const { bytesPerRow } = useSettings();
  const copied = lit ?? (section === null || length === 0 ? null : { start, end: start + length });

  return (
    <div className={styles.view}>
      {isNarrow ? null : hasRegions ? (
        <SidePane
          label="Parts of the file"
          first="Regions"
          second="Structure"
          render={(pane) =>
            pane === 'first' ? (
              <RegionList model={model} region={region} onPick={places.pickRow} />
            ) : (
              tree
            )
          }
        />
      ) : (
        <Landmark as="nav" className={styles.side} aria-label="Parts of the file">
          {tree}
        </Landmark>
      )}
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
          onReading={setReading}
          isFinding={isFinding}
          onFind={toggleFind}
        >
          {isNarrow && hasRegions ? (
            <RegionSelect model={model} region={region} onPick={places.pickRow} />
          ) : null}
        </BytesToolbar>
        {isFinding ? (
          <FindBar
            key={`${section}`}
            id={id}
            region={{ start, end: start + length }}
            from={lit ?? { start: places.cursor - 1, end: places.cursor }}
            shift={shift}
            field={findField}
            onFound={(match) => places.show({ kind: 'bytes', ...match })}
            onClose={closeFind}
          />
        ) : null}
        {reading === 'relocated' ? (
          <>
            <p className={styles.reading}>
              {layout === null
                ? 'As relocated, with every section at address 0.'
                : 'As relocated under this layout.'}{' '}
              The file is unchanged.
            </p>
            <LayoutBar model={model} stated={stated} />
          </>
        ) : null}
        {stored === null ? null : (
          <div className="pad-row">
            <Callout severity="note" title={stored.title}>
              {stored.text}
            </Callout>
          </div>
        )}
        <div ref={hexRef} className={styles.hex}>
          {empty !== null ? (
            <EmptyState title={empty.title} text={empty.text} />
          ) : (
            <HexGrid
              key={`${section}:${base}`}
              length={length}
              baseOffset={start + shift}
              columns={
                bytesPerRow === 'fit'
                  ? columnsFor(hexWidth, start + shift + length)
                  : COLUMNS[bytesPerRow]
              }
              getBytes={getBytes}
              marks={marks}
              selection={lit && { start: lit.start + shift, end: lit.end + shift }}
              cursor={places.cursor + shift}
              onSelect={(range, at) =>
                places.selectBytes(
                  { start: range.start - shift, end: range.end - shift },
                  at - shift,
                )
              }
              onHover={(offset) => {
                if (offset === null) places.hover(null);
                else if (!isResting()) places.hover(offset - shift);
              }}
              onActivate={(offset) => activate(model, section, offset - shift, structure.read)}
              scrollTo={places.scrollTo === null ? null : places.scrollTo + shift}
              version={version}
            />
          )}
        </div>
        <SelectionBar id={id} span={copied} shift={shift} legend={legend} shown={shown} />
      </div>
      {empty !== null ? null : isNarrow ? (
        <SidePane
          label="About the byte, and the parts of the file"
          first="Byte"
          second="Structure"
          render={(pane) =>
            pane === 'first' ? (
              <div className="tall scroll-y" {...scrollRegion('About the byte')}>
                {detail}
              </div>
            ) : (
              tree
            )
          }
        />
      ) : (
        <div className={styles.detail} {...scrollRegion('About the byte')}>
          {detail}
        </div>
      )}
    </div>
  );
}

/**
 * Tells whether the pointer itself came over the bytes, or the bytes came under a
 * pointer that rests: a browser reports both alike. What scrolls by or has just
 * been opened must not take the place of what is selected.
 */
function usePointerRest(element: RefObject<HTMLElement | null>): () => boolean {
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const isResting = useRef(true);
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const look = ({ clientX: x, clientY: y }: PointerEvent) => {
      const before = last.current;
      isResting.current = before === null || (before.x === x && before.y === y);
      last.current = { x, y };
    };
    // Before the grid's own listeners, which run where React has its root.
    node.addEventListener('pointerover', look, { capture: true });
    node.addEventListener('pointermove', look, { capture: true });
    return () => {
      node.removeEventListener('pointerover', look, { capture: true });
      node.removeEventListener('pointermove', look, { capture: true });
    };
  }, [element]);
  return () => isResting.current;
}

const COLUMNS = { '8': 8, '16': 16, '32': 32 } as const;

/** Width of a character of the hex view's font in CSS pixels, with a little to spare. */
const CHAR = 7.9;

/** Padding behind the text, and a scroll bar. */
const END_PADDING = 12 + 12;

/** The widest of 32, 16 and 8 columns that needs no more than `width` CSS pixels; 8 where none fits. */
export function columnsFor(width: number, lastOffset: number): 8 | 16 | 32 {
  const offsetWidth = offsetDigits(lastOffset) + 2;
  const fits = (columns: number) => {
    const chars = offsetWidth + hexWidth(columns) + ASCII_GAP + columns;
    return chars * CHAR + OFFSET_PADDING + END_PADDING <= width;
  };
  if (fits(32)) return 32;
  return fits(16) ? 16 : 8;
}
