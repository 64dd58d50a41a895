import { FileSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { mapFlagsText } from '#analysis/kernel/map-flags.ts';
import { mapTypeAbout, shortMapType } from '#analysis/kernel/map-types.ts';
import { firstFault, type MapAttributes, type MapPart } from '#analysis/libbpf/map-attributes.ts';
import type { MapDefinition } from '#analysis/libbpf/map-definitions.ts';
import { type Failure, failureText } from '#analysis/libbpf/outcome.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import { useWriteOffset } from '#views/parts/Offset.tsx';
import { placeOfTarget } from '#views/parts/relocation-look.ts';
import { ShowBytes, ShowType } from '#views/parts/SelectButton.tsx';
import { TermList } from '#views/parts/Term.tsx';
import { DataArticle, type DetailProps, SectionLink, UsedBy } from './DataArticle.tsx';
import { startDump } from './decode-state.ts';
import styles from './detail.module.css';
import { Part } from './EntryTables.tsx';
import { fileSpan } from './selected-data.ts';
import { dataState } from './state.ts';
import { shownLines } from './value-text.ts';

type MapDetailProps = DetailProps & { readonly map: MapDefinition };

/** Shows a map: attributes, initial slots, C definition. */
export function MapDetail(props: MapDetailProps) {
  const { active, map } = props;
  const { model } = active;
  const write = useWriteOffset();
  const { name, sectionIndex, byteOffset, byteSize, type, value } = map;
  const about = mapTypeAbout(shortMapType(map.mapTypeName));
  const isWritten = firstFault(map) === undefined && map.section !== 'maps';
  const source = model.types !== null && isWritten ? shownLines(mapSource(model.types, map)) : null;
  return (
    <DataArticle
      of={props}
      title={name}
      badge={<Badge text="M" tone="kind-data" label="map" />}
      facts={{
        Type: map.mapTypeName,
        Section: <SectionLink name={map.section} section={sectionIndex} datasec={null} />,
        Offset: byteOffset === null ? null : write(byteOffset),
        Linkage: map.linkage,
      }}
      actions={
        <>
          {value.type === null ? null : (
            <Button
              size="small"
              onClick={() => {
                startDump(active.id);
                dataState.set({ mode: 'decode' });
              }}
              icon={FileSearch}
            >
              Decode a dump
            </Button>
          )}
          <ShowBytes span={fileSpan(model, sectionIndex, byteOffset, byteSize)} />
          <ShowType type={type} />
        </>
      }
      about={about === '' ? undefined : <p>{about}</p>}
    >
      <DetailSection title="Definition">
        <Faults faults={map.faults} />
        <TermList items={attributeItems(model, map, name)} />
      </DetailSection>
      {map.inner === null ? null : (
        <DetailSection
          title={map.inner === 'program' ? 'Holds programs' : 'Holds maps'}
          aside={map.slots.length === 0 ? 'none initially' : countOf(map.slots.length, 'slot')}
        >
          {map.inner === 'program' ? null : (
            <>
              <p className="small muted">Definition of each:</p>
              <Faults faults={map.inner.faults} />
              <KeyValue items={attributeItems(model, map.inner, name)} />
            </>
          )}
          <MapSlots model={model} map={map} />
        </DetailSection>
      )}
      {source === null ? null : (
        <DetailSection title="As text" aside="libbpf map definition">
          <Code label="C definition of the map" text={source}>
            {drawnLines(source)}
          </Code>
        </DetailSection>
      )}
      <UsedBy active={active} section={sectionIndex} byteOffset={byteOffset} byteSize={byteSize} />
    </DataArticle>
  );
}

function Faults({ faults }: { readonly faults: readonly Failure[] }) {
  return [...new Set(faults.map(failureText))].map((fault) => (
    <Callout key={fault} severity="warning" title={drawnName(fault)} />
  ));
}

/** Returns a term and a value for each attribute that the definition of the map has. */
function attributeItems(model: ObjectModel, map: MapAttributes, name: string): KeyValueItem[] {
  const part = (each: MapPart) =>
    each.type === null && each.byteSize === null ? null : <Part model={model} part={each} />;
  const { maxEntries, mapFlags, mapExtra, numaNode, pinning } = map;
  const values: Readonly<Record<string, ReactNode>> = {
    type: map.mapTypeName,
    key: part(map.key),
    value: part(map.value),
    max_entries: maxEntries === null ? null : grouped(maxEntries),
    map_flags: mapFlags === null ? null : `${hexText(mapFlags)}  ${mapFlagsText(mapFlags)}`,
    map_extra: mapExtra === null ? null : hexText(mapExtra),
    numa_node: numaNode === null ? null : `${numaNode}`,
    pinning: pinning === null ? null : drawnName(pinningText(pinning, name)),
  };
  const extra = map.extra.map(
    (field) => [drawnName(field.name), drawnName(`${field.value}`)] as const,
  );
  return [...Object.entries(values), ...extra].flatMap(([term, value]) =>
    value === null ? [] : [{ term, value, isMono: true }],
  );
}

const MAX_ROWS = 512;

/** Shows the initial slots of a map, with links to the maps or programs that fill the slots. */
function MapSlots({ model, map }: { readonly model: ObjectModel; readonly map: MapDefinition }) {
  if (map.slots.length === 0) return null;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Initial slots</caption>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">Holds</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {map.slots.slice(0, MAX_ROWS).map((slot) => (
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
        {map.slots.length > MAX_ROWS ? (
          <tr>
            <td colSpan={3}>and {map.slots.length - MAX_ROWS} more</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

function SlotLink(props: {
  readonly model: ObjectModel;
  readonly slot: MapDefinition['slots'][number];
}) {
  const { model, slot } = props;
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

/**
 * Returns how libbpf pins a map, as `LIBBPF_PIN_BY_NAME, at /sys/fs/bpf/hash`. The name is not
 * escaped. Source: libbpf's enum libbpf_pin_type.
 */
export function pinningText(pinning: bigint, name: string): string {
  if (pinning === 0n) return 'LIBBPF_PIN_NONE';
  return pinning === 1n
    ? `LIBBPF_PIN_BY_NAME, at /sys/fs/bpf/${name} unless the loader sets another path`
    : `${pinning}, which libbpf refuses`;
}

/**
 * Yields the lines of a map's C definition and initial slots. Names are not escaped. Source:
 * libbpf's bpf_helpers.h, __uint, __type, __ulong and __array.
 */
export function* mapSource(types: TypeTable, map: MapDefinition): Generator<string> {
  const storage = map.linkage === 'static' ? 'static ' : '';
  yield `${storage}struct {`;
  yield* members(types, map, '\t');
  if (map.inner === 'program') yield '\t__array(values, int (void *));';
  else if (map.inner !== null) {
    yield '\t__array(values, struct {';
    yield* members(types, map.inner, '\t\t');
    yield '\t});';
  }
  if (map.slots.length === 0) {
    yield `} ${map.name} SEC(".maps");`;
    return;
  }
  yield `} ${map.name} SEC(".maps") = {`;
  yield '\t.values = {';
  const sign = map.inner === 'program' ? '' : '&';
  for (const { index, name } of map.slots) yield `\t\t[${index}] = ${sign}${name},`;
  yield '\t},';
  yield '};';
}

function* members(types: TypeTable, map: MapAttributes, indent: string): Generator<string> {
  if (map.mapTypeName !== null) yield `${indent}__uint(type, ${map.mapTypeName});`;
  for (const [name, value] of [
    ['max_entries', map.maxEntries],
    ['map_flags', map.mapFlags],
    ['map_extra', map.mapExtra],
    ['numa_node', map.numaNode],
    ['pinning', map.pinning],
  ] as const) {
    if (value === null) continue;
    // __uint stores a value as an array length of 32 bits, __ulong stores it as an enumerator.
    const macro = value >= 1n << 32n ? '__ulong' : '__uint';
    yield `${indent}${macro}(${name}, ${numberText(name, value)});`;
  }
  for (const name of ['key', 'value'] as const) {
    const { type, byteSize } = map[name];
    if (type !== null) yield `${indent}__type(${name}, ${typeExpression(types, type)});`;
    else if (byteSize !== null) yield `${indent}__uint(${name}_size, ${byteSize});`;
  }
}

function numberText(name: string, value: bigint): string {
  if (name === 'pinning' && value === 1n) return 'LIBBPF_PIN_BY_NAME';
  return name === 'map_flags' ? `0x${value.toString(16)}` : `${value}`;
}
