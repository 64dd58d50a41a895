import { Binary, Boxes, FileSearch } from 'lucide-react';
import { useMemo } from 'react';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { MapAttributes, MapDefinition } from '#analysis/values/map-definitions.ts';
import { shortMapType } from '#analysis/values/map-types.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { setViewParam } from '#store/view-state.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/Code.tsx';
import { grouped } from '#ui/grouped.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { mapFlagsText } from '#views/parts/map-flags.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { placeOfTarget } from '#views/parts/relocation-target.ts';
import { TermList } from '#views/parts/Term.tsx';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading } from './DataHeading.tsx';
import { startDump } from './decode-state.ts';
import styles from './detail.module.css';
import { fileSpan } from './found-data.ts';
import { Part } from './MapTable.tsx';
import { mapSource, mapTypeAbout, pinningText } from './map-text.ts';
import { SectionLink } from './SectionLink.tsx';
import { UsedBy } from './UsedBy.tsx';
import { shownLines } from './value-text.ts';

type MapDetailProps = DetailProps & { readonly map: MapDefinition };

/** A map as libbpf would create it, and what is in it from the start. */
export function MapDetail({ active, map, isFocused, onBack }: MapDetailProps) {
  const { model } = active;
  const { name, sectionIndex, byteOffset, byteSize, type, value } = map;
  const span = fileSpan(model, sectionIndex, byteOffset, byteSize);
  const typeName = shortMapType(map.mapTypeName);
  return (
    <article className={styles.detail}>
      <DataHeading
        title={name}
        badge={<Badge text="M" tone="kind-data" label="map" />}
        facts={[
          ...(map.mapTypeName === null ? [] : [{ term: 'Type', value: map.mapTypeName }]),
          {
            term: 'Section',
            value: <SectionLink name={map.section} section={sectionIndex} datasec={null} />,
          },
          ...(byteOffset === null ? [] : [{ term: 'Offset', value: hexText(byteOffset) }]),
          { term: 'Linkage', value: map.linkage },
        ]}
        isFocused={isFocused}
        onBack={onBack}
        actions={
          <>
            {value.type === null ? null : (
              <Button
                size="small"
                onClick={() => {
                  startDump(model);
                  setViewParam('data', 'mode', 'decode');
                }}
              >
                <FileSearch size={14} aria-hidden />
                Decode a dump
              </Button>
            )}
            {span === null ? null : (
              <Button size="small" onClick={() => select({ kind: 'bytes', ...span }, 'bytes')}>
                <Binary size={14} aria-hidden />
                Show bytes
              </Button>
            )}
            {type === null ? null : (
              <Button size="small" onClick={() => select(typeSelection(type), 'types')}>
                <Boxes size={14} aria-hidden />
                Show in Types
              </Button>
            )}
          </>
        }
      >
        {mapTypeAbout(typeName) === '' ? undefined : <p>{mapTypeAbout(typeName)}</p>}
      </DataHeading>
      <DetailSection title="Definition">
        <Faults faults={map.faults} />
        <TermList items={attributeItems(model, map, name)} />
      </DetailSection>
      {map.inner === null ? null : (
        <DetailSection
          title={map.inner === 'program' ? 'Holds programs' : 'Holds maps'}
          aside={map.slots.length === 0 ? 'none at the start' : countOf(map.slots.length, 'slot')}
        >
          {map.inner === 'program' ? null : (
            <>
              <p className="small muted">Each of them is like this:</p>
              <Faults faults={map.inner.faults} />
              <KeyValue items={attributeItems(model, map.inner, name)} />
            </>
          )}
          <MapSlots model={model} map={map} />
        </DetailSection>
      )}
      {map.faults.length > 0 || model.types === null || map.section === 'maps' ? null : (
        <DetailSection title="As text" aside="libbpf map definition">
          <Source text={shownLines(mapSource(model.types, map))} />
        </DetailSection>
      )}
      <UsedBy active={active} section={sectionIndex} byteOffset={byteOffset} byteSize={byteSize} />
    </article>
  );
}

function Source({ text }: { readonly text: string }) {
  return (
    <Code label="C definition of the map" text={text}>
      {drawnLines(text)}
    </Code>
  );
}

function Faults({ faults }: { readonly faults: readonly string[] }) {
  return faults.map((fault) => <Callout key={fault} severity="warning" title={drawnName(fault)} />);
}

/** What the definition says, by the names of its members; what it does not say is left out. */
function attributeItems(model: ObjectModel, map: MapAttributes, name: string): KeyValueItem[] {
  const items: KeyValueItem[] = [];
  const add = (term: string, value: KeyValueItem['value'] | null) => {
    if (value !== null) items.push({ term, value, isMono: true });
  };
  const isSaid = ({ type, byteSize }: MapAttributes['key']) => type !== null || byteSize !== null;
  add('type', map.mapTypeName);
  add('key', isSaid(map.key) ? <Part model={model} part={map.key} /> : null);
  add('value', isSaid(map.value) ? <Part model={model} part={map.value} /> : null);
  add('max_entries', map.maxEntries === null ? null : grouped(map.maxEntries));
  add(
    'map_flags',
    map.mapFlags === null ? null : `${hexText(map.mapFlags)}  ${mapFlagsText(map.mapFlags)}`,
  );
  add('map_extra', map.mapExtra === null ? null : hexText(map.mapExtra));
  add('numa_node', map.numaNode === null ? null : `${map.numaNode}`);
  add('pinning', map.pinning === null ? null : drawnName(pinningText(map.pinning, name)));
  return items;
}

const MOST = 512;

/** The slots that are filled from the start, each with a link to the map or program in it. */
function MapSlots({ model, map }: { readonly model: ObjectModel; readonly map: MapDefinition }) {
  const rows = useMemo(() => map.slots.slice(0, MOST), [map]);
  if (rows.length === 0) return null;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Slots that are filled from the start</caption>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">Holds</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((slot) => (
          <tr key={slot.reloc}>
            <td className="mono">[{slot.index}]</td>
            <td>
              <SlotLink model={model} slot={slot} />
            </td>
            <td>
              <button
                type="button"
                className={styles.mapSlotsLink}
                onClick={() => select({ kind: 'relocation', reloc: slot.reloc }, 'relocations')}
              >
                {relocationMeaning(model, slot.reloc).typeName}
              </button>
            </td>
          </tr>
        ))}
        {map.slots.length > MOST ? (
          <tr>
            <td colSpan={3}>and {map.slots.length - MOST} more</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

type SlotLinkProps = {
  readonly model: ObjectModel;
  readonly slot: MapDefinition['slots'][number];
};

function SlotLink({ model, slot }: SlotLinkProps) {
  const { target } = relocationMeaning(model, slot.reloc);
  const go = () => {
    if (target === null || target.section === null) return;
    if (isCode(model.sections, sectionIndex(target.section))) {
      const place = placeOfTarget(model, target);
      if (place !== null) select(place.selection, place.view);
      return;
    }
    const symbol = model.relocations.symbol[slot.reloc];
    if (symbol !== undefined) select({ kind: 'symbol', symbol: symbolIndex(symbol) });
  };
  return (
    <button type="button" className={styles.mapSlotsLink} onClick={go}>
      {drawnName(slot.name)}
    </button>
  );
}
