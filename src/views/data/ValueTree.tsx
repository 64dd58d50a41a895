import { Binary } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { bitsAt } from '#analysis/values/bits.ts';
import type { PointerTarget, Value } from '#analysis/values/decode.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName, hexPlace } from '#bytes/text.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { useRowInSight } from '#ui/list-keys.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { BitRuler, type RulerPart } from '#views/parts/BitRuler.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { widthText } from '#views/parts/layout-text.ts';
import { Offset } from '#views/parts/Offset.tsx';
import type { Place } from '#views/parts/relocation-look.ts';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './detail.module.css';
import { Pointer, valueColumns } from './value-columns.tsx';
import {
  bytesText,
  FORM_TITLES,
  FORM_WORDS,
  otherForm,
  previewText,
  type ValueForm,
  valueText,
} from './value-text.ts';
import {
  firstOpen,
  isFolder,
  pathOfRow,
  pathToBytes,
  type ValueRow,
  valueOfRow,
  valueRows,
} from './value-tree.ts';

/** Where the parts of a value are in the file, and what its pointers point to. */
export type ValuePlaces = {
  /** Offset of the value in its section, in bytes. */
  readonly base: number;
  /** Returns the bytes of a part in the file; null if the file has none. */
  readonly spanOf: (part: Value) => Span | null;
  /** Returns the relocation that fills a pointer; null if there is none. */
  readonly relocationOf: (part: Value) => RelocIndex | null;
  readonly placeOf: (target: PointerTarget) => Place | null;
};

export const NO_PLACES: ValuePlaces = {
  base: 0,
  spanOf: () => null,
  relocationOf: () => null,
  placeOf: () => null,
};

type ValueTreeProps = {
  /** Model of the file; null if the value is not in a file. */
  readonly model: ObjectModel | null;
  readonly value: Value;
  readonly places: ValuePlaces;
  /** Selection of the page. A row chosen in the table stays chosen until the selection changes. */
  readonly selection: Selection | null;
  /** Selected bytes, as offsets from the start of the value; null if there are none. */
  readonly selectedBytes: Span | null;
  /** Called with the bytes in the file when the user chooses a row that has such bytes. */
  readonly onBytes: (span: Span) => void;
};

const ROW_HEIGHT = 24;
const HEADER_HEIGHT = 28;
const MAX_ROWS = 16;

/** Shows a value as a table: each part with its type, offset and bytes. Parts can be opened. */
export function ValueTree(props: ValueTreeProps) {
  const { model, value, places, selection, selectedBytes, onBytes } = props;
  const isNarrow = useNarrow(NARROW);
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstOpen(value));
  const [chosen, setChosen] = useState<{
    readonly key: string;
    readonly of: Selection | null;
  } | null>(null);
  const path = useMemo(
    () =>
      selectedBytes === null ? [] : pathToBytes(value, selectedBytes.start, selectedBytes.end),
    [value, selectedBytes],
  );
  const isChosenHere = chosen !== null && sameOrNone(chosen.of, selection);
  const selectedKey = isChosenHere ? chosen.key : (path.at(-1) ?? null);

  // A new selection opens the parents of its part only once, so that the user can close them.
  const [openedFor, setOpenedFor] = useState<Selection | null>(null);
  if (selection !== null && openedFor !== selection) {
    setOpenedFor(selection);
    const missing = isChosenHere ? [] : path.slice(0, -1).filter((key) => !open.has(key));
    if (missing.length > 0) setOpen(new Set([...open, ...missing]));
  }

  const toggle = useCallback((key: string) => {
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const rows = useMemo(() => valueRows(value, open), [value, open]);
  const columns = useMemo(
    () => valueColumns({ value, rows, places, toggle, isNarrow }),
    [value, rows, places, toggle, isNarrow],
  );
  const index = selectedKey === null ? -1 : rows.findIndex(({ key }) => key === selectedKey);
  const selectedIndex = index < 0 ? null : index;
  useRowInSight(frame, isChosenHere ? null : selectedIndex);

  const choose = (row: ValueRow) => {
    const part = valueOfRow(value, row);
    const span = part === null ? null : places.spanOf(part);
    const next: Selection | null = span === null ? selection : { kind: 'bytes', ...span };
    setChosen({ key: row.key, of: next });
    if (span !== null) onBytes(span);
  };
  const activate = (row: ValueRow) => {
    if (isFolder(value, row)) toggle(row.key);
    else {
      const part = valueOfRow(value, row);
      const span = part === null ? null : places.spanOf(part);
      if (span !== null) select({ kind: 'bytes', ...span }, 'bytes');
    }
  };
  const at = (rowIndex: number, act: (row: ValueRow) => void) => {
    const row = rows[rowIndex];
    if (row !== undefined) act(row);
  };
  const selectedRow = selectedIndex === null ? undefined : rows[selectedIndex];
  const height = HEADER_HEIGHT + ROW_HEIGHT * Math.min(rows.length, MAX_ROWS) + 2;
  return (
    <>
      <div ref={frame} className={styles.frame} style={{ height: isNarrow ? height + 12 : height }}>
        <VirtualTable
          label="Value"
          isInOrder
          columns={columns}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selectedIndex}
          onSelect={(row) => at(row, choose)}
          onActivate={(row) => at(row, activate)}
          scrollToIndex={isChosenHere ? null : selectedIndex}
        />
      </div>
      {selectedRow === undefined ? null : (
        <RowDetail model={model} root={value} row={selectedRow} places={places} />
      )}
    </>
  );
}

function sameOrNone(a: Selection | null, b: Selection | null): boolean {
  return a === null || b === null ? a === b : sameSelection(a, b);
}

type RowDetailProps = {
  readonly model: ObjectModel | null;
  readonly root: Value;
  readonly row: ValueRow;
  readonly places: ValuePlaces;
};

/** Shows the selected part: offset, bytes, bits, relocation. */
function RowDetail({ model, root, row, places }: RowDetailProps) {
  const part = valueOfRow(root, row);
  if (part === null) return null;
  const span = places.spanOf(part);
  const label = pathOfRow(root, row.key);
  const bits = bitParts(part);
  const reloc = part.content.kind === 'pointer' ? places.relocationOf(part) : null;
  return (
    <Landmark className={styles.card} aria-label="Selected part">
      <div className="row wrap gap-2 spread">
        <h4 className="shrink mono break size-13">
          {drawnName(label.replace(/^\./, '') || 'value')}
        </h4>
        <div className="wrapping gap-1">
          {reloc === null ? null : (
            <SelectButton selection={{ kind: 'relocation', reloc }} view="relocations">
              Show relocation
            </SelectButton>
          )}
          {span === null ? null : (
            <SelectButton selection={{ kind: 'bytes', ...span }} view="bytes" icon={Binary}>
              Show these bytes
            </SelectButton>
          )}
        </div>
      </div>
      <KeyValue items={itemsOf(model, part, places)} />
      {bits === null ? null : <BitRuler label="Bits of its bytes" parts={bits} />}
    </Landmark>
  );
}

function itemsOf(model: ObjectModel | null, part: Value, places: ValuePlaces): KeyValueItem[] {
  const { content, scope } = part;
  const otherText = otherForm(part);
  const items: KeyValueItem[] = [
    { term: 'Type', value: <TypeLink types={scope.types} type={part.type} badge /> },
    {
      term: 'Value',
      value:
        content.kind === 'pointer' && content.target !== null ? (
          <Pointer part={part} target={content.target} places={places} hasRelocation={false} />
        ) : (
          `${drawnName(previewText(part))}${otherText === '' ? '' : `  ${otherText}`}`
        ),
      isMono: true,
    },
    { term: 'Place', value: <Offset text={placeText(part, places)} /> },
    { term: 'Bytes', value: bytesText(part), isMono: true },
  ];
  const reloc = content.kind === 'pointer' ? places.relocationOf(part) : null;
  if (reloc !== null && model !== null) {
    const { typeName, words } = relocationMeaning(model, reloc);
    items.push({ term: typeName, value: drawnName(words) });
  }
  return items;
}

function placeText(part: Value, { base }: ValuePlaces): string {
  const within = base === 0 ? '' : `, ${hexPlace(8 * base + part.bitOffset)} in the section`;
  return `byte ${hexPlace(part.bitOffset)}${within}; ${widthText(part.bitSize)}`;
}

/** Returns a bit-field and the bits beside it in its bytes; null for others or missing bytes. */
export function bitParts({
  scope,
  bitOffset,
  bitSize,
  isBitfield,
  name,
}: Value): RulerPart[] | null {
  if (!isBitfield || bitSize === 0) return null;
  const first = 8 * Math.floor(bitOffset / 8);
  const end = 8 * Math.ceil((bitOffset + bitSize) / 8);
  const part = (from: number, length: number, field: string): RulerPart | null => {
    const value = length === 0 ? null : bitsAt(scope, from, length);
    return value === null ? null : { field, length, value };
  };
  const before = part(first, bitOffset - first, '');
  const own = part(bitOffset, bitSize, name || 'value');
  const behind = part(bitOffset + bitSize, end - bitOffset - bitSize, '');
  if (own === null) return null;
  // Little-endian: bit 0 is the lowest bit of the number. Big-endian: bit 0 is the highest.
  const inOrder = scope.endian === 'little' ? [behind, own, before] : [before, own, behind];
  return inOrder.filter((each) => each !== null);
}

type ValueTextsProps = {
  readonly value: Value;
  readonly first: ValueForm;
  /** Whether to explain the form of the text. */
  readonly hasAbout?: boolean;
  /** Text before the value in C, such as `int a = `. */
  readonly before: string;
};

/** Shows a value as C, as JSON or as bpftool prints it. */
export function ValueTexts({ value, first, hasAbout = false, before }: ValueTextsProps) {
  const [form, setForm] = useState(first);
  const text = useMemo(() => valueText(value, form, before), [value, form, before]);
  return (
    <DetailSection
      title="As text"
      aside={hasAbout ? FORM_WORDS[form] : undefined}
      actions={
        <Segmented label="Form of the text" options={FORM_TITLES} value={form} onChange={setForm} />
      }
    >
      <Code label={`${FORM_TITLES[form]} text of the value`} text={text}>
        {drawnLines(text)}
      </Code>
    </DetailSection>
  );
}
