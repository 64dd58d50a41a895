import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { typeAtOffset } from '#analysis/selection/selection.ts';
import { addTo } from '#bytes/cache.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Pin, usePins } from '#store/session/pins.ts';
import type { FileId } from '#store/session/session.ts';
import styles from './PinMark.module.css';

export type PinMarkProps = {
  readonly number: number;
  /** Text of the callout or note, which is also the accessible name and tooltip of the mark. */
  readonly text: string;
  readonly isLit?: boolean;
  /** True for a user's note, false for a callout of a lesson. */
  readonly isNote?: boolean;
};

/** Shows the number of a callout or a note on the item that it is about. */
export function PinMark(pin: PinMarkProps) {
  const { isLit = false, isNote = false } = pin;
  return (
    <span
      className={styles.pin}
      data-lit={isLit ? '' : undefined}
      data-note={isNote ? '' : undefined}
      title={pinLabel(pin)}
    >
      <span className="visually-hidden">{isNote ? pinLabel(pin) : 'Pin '}</span>
      <span aria-hidden={isNote}>{pinBadge(pin)}</span>
    </span>
  );
}

/** Returns the text of a mark: `2` for a callout, `n2` for a note. */
export function pinBadge({ number, isNote }: Pick<PinMarkProps, 'number' | 'isNote'>): string {
  return isNote === true ? `n${number}` : `${number}`;
}

/** Maximum number of marks on an item. If there are more, the last one is a count, as `+5`. */
const MAX_MARKS = 3;

/** Shows the marks of all pins of an item. */
export function PinMarks({ pins }: { readonly pins: readonly PinMarkProps[] }) {
  const shown = pins.length > MAX_MARKS ? pins.slice(0, MAX_MARKS - 1) : pins;
  const rest = pins.slice(shown.length);
  const restLabel = rest.map(pinLabel).join('\n');
  return (
    <>
      {shown.map((pin) => (
        <PinMark key={pinBadge(pin)} {...pin} />
      ))}
      {rest.length === 0 ? null : (
        <span
          className={styles.pin}
          data-lit={rest.some(({ isLit }) => isLit) ? '' : undefined}
          data-note={rest.every(({ isNote }) => isNote) ? '' : undefined}
          title={restLabel}
        >
          <span className="visually-hidden">{restLabel}</span>
          <span aria-hidden>+{rest.length}</span>
        </span>
      )}
    </>
  );
}

type PinnedProps = {
  readonly pins: readonly PinMarkProps[];
  readonly children: ReactNode;
};

/** Shows the pins of a table cell, then its content. */
export function Pinned({ pins, children }: PinnedProps) {
  if (pins.length === 0) return children;
  return (
    <span className="row gap-1 shrink">
      <PinMarks pins={pins} />
      {children}
    </span>
  );
}

/** Returns the label of a pin: `Pin 2: vlen`, `Note 1: read twice`. Backticks are removed. */
export function pinLabel({ number, text, isNote }: PinMarkProps): string {
  return visible(
    isNote === true ? `Note ${number}: ${text}` : `Pin ${number}: ${text.replaceAll('`', '')}`,
  );
}

export type PinsByType = ReadonlyMap<TypeId, readonly Pin[]>;

/** Groups pins by type. A pin can be on the type, on a member, or on bytes of the type's record. */
export function pinsByType(types: TypeTable, pins: readonly Pin[]): PinsByType {
  const byType = new Map<TypeId, Pin[]>();
  for (const pin of pins) {
    const type = pinnedType(types, pin.selection);
    if (type !== null) addTo(byType, type, pin);
  }
  return byType;
}

function pinnedType(types: TypeTable, selection: Selection): TypeId | null {
  if (selection.kind === 'type') return selection.type;
  return selection.kind === 'bytes' ? typeAtOffset(types, selection.start) : null;
}

export function usePinsByType(id: FileId, types: TypeTable): PinsByType {
  const pins = usePins(id);
  return useMemo(() => pinsByType(types, pins), [types, pins]);
}
