import { useMemo } from 'react';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { MapDefinition } from '#analysis/values/map-definitions.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { placeOfTarget } from '#views/parts/relocation-target.ts';
import styles from './MapSlots.module.css';

const MOST = 512;

/** The slots that are filled from the start, each with a link to the map or program in it. */
export function MapSlots({
  model,
  map,
}: {
  readonly model: ObjectModel;
  readonly map: MapDefinition;
}) {
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
            <td className={styles.index}>[{slot.index}]</td>
            <td>
              <SlotLink model={model} slot={slot} />
            </td>
            <td>
              <button
                type="button"
                className={styles.link}
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

function SlotLink({
  model,
  slot,
}: {
  readonly model: ObjectModel;
  readonly slot: MapDefinition['slots'][number];
}) {
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
    <button type="button" className={styles.link} onClick={go}>
      {drawnName(slot.name)}
    </button>
  );
}
