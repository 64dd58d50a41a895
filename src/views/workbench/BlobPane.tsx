import { useCallback, useMemo, useRef } from 'react';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { Changes, StoredString } from '#analysis/workbench/changes.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { useElementWidth } from '#ui/element-size.tsx';
import { HexGrid } from '#ui/HexGrid.tsx';
import type { ByteMark } from '#ui/hex-marks.ts';
import { Panel } from '#ui/Panel.tsx';
import styles from './BlobPane.module.css';
import {
  bytesOfLit,
  lineAtByte,
  type PaneProps,
  type Pointed,
  samePointed,
  selectionOfLine,
} from './subject.ts';

type BlobPaneProps = PaneProps & {
  readonly strings: readonly StoredString[];
  readonly selection: Selection;
};

/** Width in CSS pixels from which the grid has sixteen columns. */
const SIXTEEN_COLUMNS = 620;
const THIRTY_TWO_COLUMNS = 1240;

/** Shows the bytes of the BTF. A click selects the record at a byte; a drag selects bytes. */
export function BlobPane(props: BlobPaneProps) {
  const { model, types, strings, changes, pointed, onPoint, selection } = props;
  const { blob } = types;
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const columns = width >= THIRTY_TWO_COLUMNS ? 32 : width >= SIXTEEN_COLUMNS ? 16 : 8;
  const marks = useMemo(() => blobMarks(types, strings, changes), [types, strings, changes]);
  const underPointer = useMemo(
    () => pointedBytes(model, strings, pointed),
    [model, strings, pointed],
  );
  const getMarks = useCallback(
    (start: number, end: number) => {
      const pointer: ByteMark[] =
        underPointer === null ? [] : [{ ...underPointer, tone: 'accent', label: 'pointed at' }];
      return marksIn([...marks, ...pointer], start, end);
    },
    [marks, underPointer],
  );
  const getBytes = useCallback((start: number, end: number) => blob.subarray(start, end), [blob]);
  const span = selectionSpan(model, selection);
  const onHover = (offset: number | null) => {
    const next = offset === null ? null : lineAtByte(model, strings, offset);
    if (!samePointed(next, pointed)) onPoint(next);
  };
  return (
    <Panel title="Bytes" aside={<Legend hasChanges={(changes?.bytes.length ?? 0) > 0} />}>
      <div ref={frame} className="tall">
        <HexGrid
          label="Bytes of the BTF"
          length={blob.length}
          baseOffset={0}
          columns={columns}
          getBytes={getBytes}
          marks={getMarks}
          selection={span}
          cursor={null}
          onSelect={({ start, end }) => {
            const at = end - start === 1 ? lineAtByte(model, strings, start) : null;
            select(
              at?.kind === 'record' ? selectionOfLine(types, at) : { kind: 'bytes', start, end },
            );
          }}
          onHover={onHover}
          scrollTo={span?.start ?? null}
          version={0}
        />
      </div>
    </Panel>
  );
}

function Legend({ hasChanges }: { readonly hasChanges: boolean }) {
  return (
    <span className={styles.legend} aria-hidden="true">
      <span data-part="header">header</span>
      <span data-part="types">types</span>
      <span data-part="strings">strings</span>
      {hasChanges ? <span data-part="changed">changed</span> : null}
    </span>
  );
}

/** Maximum characters of a label. Longer strings are cut. */
const MAX_LABEL = 60;

/** Returns all marks, ascending within each kind. Their offsets are relative to the blob. */
export function blobMarks(
  types: TypeTable,
  strings: readonly StoredString[],
  changes: Changes | null,
): readonly ByteMark[] {
  const header: ByteMark = {
    start: 0,
    end: types.recordOff[0] ?? types.strStart,
    tone: 'muted',
    label: 'header',
  };
  const names = strings.map(
    ({ start, end, text }): ByteMark => ({
      start,
      end,
      tone: 'reloc-1',
      label: text === '' ? 'string' : `string ${visible(text.slice(0, MAX_LABEL))}`,
    }),
  );
  const changed = (changes?.bytes ?? []).map(
    ({ start, end }): ByteMark => ({ start, end, tone: 'accent', label: 'changed' }),
  );
  return [header, ...names, ...changed];
}

export function marksIn(marks: readonly ByteMark[], start: number, end: number): ByteMark[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** Returns the range of the bytes under the pointer; null if there are none. */
export function pointedBytes(
  model: ObjectModel,
  strings: readonly StoredString[],
  pointed: Pointed | null,
): Span | null {
  if (pointed === null) return null;
  if (pointed.kind === 'record') return bytesOfLit(model, pointed);
  return strings.find(({ offset }) => offset === pointed.offset) ?? null;
}
