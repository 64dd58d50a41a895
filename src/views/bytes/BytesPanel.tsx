import { useCallback, useMemo, useRef, useState } from 'react';
import { NOTHING } from '#model/selection.ts';
import { bytesNow } from '#store/bytes-cache.ts';
import type { Active } from '#store/hooks.ts';
import { useSession } from '#store/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { HexGrid } from '#ui/HexGrid.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { useMediaQuery } from '#ui/use-media-query.ts';
import { activate } from './activate.ts';
import { ByteDetail } from './ByteDetail.tsx';
import styles from './BytesPanel.module.css';
import { BytesToolbar } from './BytesToolbar.tsx';
import { columnsFor } from './hex-columns.ts';
import { legendOf } from './mark-legend.ts';
import { RegionList } from './RegionList.tsx';
import { RegionSelect } from './RegionSelect.tsx';
import { emptyNote, type OffsetBase, offsetShift, storedNote } from './region-words.ts';
import { regionCount } from './regions.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { shiftedMarks } from './shifted-marks.ts';
import { useElementWidth } from './use-element-width.ts';
import { usePlaces } from './use-places.ts';
import { usePointerRest } from './use-pointer-rest.ts';
import { useStepKeys } from './use-step-keys.ts';

/** Under this width the list of regions becomes a menu and the panel stands under the bytes. */
const NARROW = '(max-width: 899px)';

/** The bytes of one file: regions, the hex view, and what is known of the byte under the pointer. */
export function BytesPanel({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const isNarrow = useMediaQuery(NARROW);
  // A raw BTF blob has no sections, so there is nothing to choose from.
  const hasRegions = regionCount(model) > 1;
  const version = useSession((state) => state.bytesVersion);
  const [base, setBase] = useState<OffsetBase>('file');
  const hexRef = useRef<HTMLDivElement>(null);
  const hexWidth = useElementWidth(hexRef);
  const isResting = usePointerRest(hexRef);
  const places = usePlaces(active);
  const { region, lit } = places;
  useStepKeys(places.step);

  const shift = offsetShift(region.start, base);
  const { section, start, length } = region;
  const legend = useMemo(
    () => legendOf(model, { section, start, length }),
    [model, section, start, length],
  );
  const getBytes = useCallback(
    (from: number, to: number) => bytesNow(id, from - shift, to - shift),
    [id, shift],
  );
  // Bytes that are merely selected change no mark, so that a drag draws only its own rows.
  const { kind } = active.selection;
  const marked = kind === 'relocation' || kind === 'core' ? active.selection : NOTHING;
  const marks = useMemo(
    () =>
      shiftedMarks(model, section, shift, {
        read: getBytes,
        lit: marked,
        litClass: styles.litMark ?? '',
      }),
    [model, section, shift, getBytes, marked],
  );
  const empty = emptyNote(model, section);
  const stored = storedNote(model, section);
  const copied = lit ?? (section === null || length === 0 ? null : { start, end: start + length });

  return (
    <div className={styles.view} data-regions={hasRegions}>
      {isNarrow || !hasRegions ? null : (
        <nav className={styles.regions} aria-label="Regions of the file">
          <RegionList model={model} region={region} onPick={places.pickRow} />
        </nav>
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
        >
          {isNarrow && hasRegions ? (
            <RegionSelect model={model} region={region} onPick={places.pickRow} />
          ) : null}
        </BytesToolbar>
        {stored === null ? null : (
          <div className={styles.note}>
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
              columns={columnsFor(hexWidth, start + shift + length)}
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
              onActivate={(offset) => activate(model, section, offset - shift)}
              scrollTo={places.scrollTo === null ? null : places.scrollTo + shift}
              version={version}
            />
          )}
        </div>
        <SelectionBar id={id} span={copied} shift={shift} legend={legend} />
      </div>
      {empty === null ? (
        <aside className={styles.detail} {...scrollRegion('About the byte')}>
          <ByteDetail id={id} model={model} region={region} fileOffset={places.byte} />
        </aside>
      ) : null}
    </div>
  );
}
