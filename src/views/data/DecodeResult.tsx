import { useMemo, useState } from 'react';
import { decodeValue, type Value } from '#analysis/values/decode.ts';
import type { DumpEntry, MapDump } from '#analysis/values/map-dump.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type MapTypes, writeMapDump } from '#print/value-json.ts';
import { Callout } from '#ui/Callout.tsx';
import { Code, CopyButton } from '#ui/CopyButton.tsx';
import { hexBytes } from '#ui/hex-marks.ts';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import {
  column,
  NUMBER,
  type RowColumn,
  rowColumns,
  type TableColumn,
  tableHeight,
} from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './DecodeResult.module.css';
import {
  type DecodeState,
  type DecodeTypes,
  dumpEntries,
  type ReadInput,
  sizeMismatchText,
} from './decode-state.ts';
import { NO_PLACES, ValueTexts, ValueTree } from './ValueTree.tsx';
import { declarationOf, previewText } from './value-text.ts';

/** Types and byte order with which bytes are decoded. */
type DecodedBy = Required<MapTypes>;

type DecodeResultProps = {
  readonly model: ObjectModel;
  readonly state: DecodeState;
  readonly types: DecodeTypes;
  readonly input: ReadInput;
};

/** Shows the decoded value as a tree and as JSON, or a hint at what is missing. */
export function DecodeResult({ model, state, types, input }: DecodeResultProps) {
  const endian = state.endian ?? model.endian;
  const { value, key } = types;
  const by = useMemo(
    (): DecodedBy | null =>
      model.types === null || value === null ? null : { types: model.types, endian, value, key },
    [model.types, endian, value, key],
  );
  if (model.types === null) return null;
  if (by === null || input.kind === 'nothing' || input.kind === 'fault') {
    return <Missing hasType={value !== null} input={input} />;
  }
  return (
    <div className={styles.result}>
      {input.kind === 'bytes' ? (
        <BytesResult by={by} bytes={input.bytes} />
      ) : (
        <GivenDump by={by} dump={input.dump} />
      )}
    </div>
  );
}

function Missing({ hasType, input }: { readonly hasType: boolean; readonly input: ReadInput }) {
  if (input.kind === 'fault') {
    return <EmptyState title="Not readable yet" text="The error is shown under the text." />;
  }
  return hasType ? (
    <EmptyState
      title="Give the bytes"
      text="Paste hex or the output of bpftool map dump, or drop a file on the field above. Everything stays in this page."
    />
  ) : (
    <EmptyState
      title="Choose the type of the value"
      text="Any type of this file can be chosen: the value of a map, a struct, all of .data at once. The value is shown as a tree and as the JSON that bpftool prints. The example of the BTF document is struct tmp_t; it can be tried in a file that has it."
    />
  );
}

function BytesResult({ by, bytes }: { readonly by: DecodedBy; readonly bytes: Uint8Array }) {
  const value = useMemo(() => decoded(by, by.value, bytes), [by, bytes]);
  return (
    <>
      <DetailSection title="Value" aside={countOf(bytes.length, 'byte')}>
        <PlainValue key={by.value} value={value} given={bytes.length} />
      </DetailSection>
      <ValueTexts value={value} first="json" before={`(${declarationOf(value, '', 'global')})`} />
    </>
  );
}

/** Shows a value that is not in a file. `given` is the number of bytes that the user entered. */
function PlainValue({ value, given }: { readonly value: Value; readonly given: number }) {
  const problem = sizeMismatchText(value, given);
  return (
    <>
      {problem === null ? null : <Callout severity="warning" title={problem} />}
      <ValueTree
        model={null}
        value={value}
        places={NO_PLACES}
        selection={null}
        selectedBytes={null}
        onBytes={() => undefined}
      />
    </>
  );
}

/** Shows a dump; values that bpftool decoded become bytes by the chosen types. */
function GivenDump({ by, dump }: { readonly by: DecodedBy; readonly dump: MapDump }) {
  const entries = useMemo(() => dumpEntries(dump, by), [dump, by]);
  if (typeof entries !== 'string') return <DumpResult by={by} entries={entries} />;
  return <EmptyState title="The dump is of another type" text={drawnName(entries)} />;
}

type DumpResultProps = { readonly by: DecodedBy; readonly entries: readonly DumpEntry[] };

/** Shows the text that bpftool would print for the dump with these types. */
function DumpText({ by, entries }: DumpResultProps) {
  const [form, setForm] = useState<DumpForm>('plain');
  const text = useMemo(
    () => dumpText(entries.slice(0, SHOWN_ENTRIES), by, form),
    [entries, by, form],
  );
  const isCut = entries.length > SHOWN_ENTRIES;
  return (
    <DetailSection
      title="As bpftool prints it"
      aside={isCut ? `the first ${countOf(SHOWN_ENTRIES, 'entry', 'entries')}` : undefined}
      actions={
        <Segmented label="Form of the text" options={DUMP_FORMS} value={form} onChange={setForm} />
      }
    >
      {isCut ? (
        <div>
          <CopyButton text={() => dumpText(entries, by, form)} label="Copy all entries" />
        </div>
      ) : null}
      <Code label="Decoded dump" text={text}>
        {drawnLines(text)}
      </Code>
    </DetailSection>
  );
}

/** Returns columns for key and value of an entry, and a CPU column for per-CPU maps. */
function dumpColumns(by: DecodedBy, rows: readonly DumpRow[]): TableColumn[] {
  const text = (type: TypeId | null, bytes: Uint8Array | null) => {
    if (bytes === null) return 'none';
    return (
      <bdi>{type === null ? hexLine(bytes) : drawnName(previewText(decoded(by, type, bytes)))}</bdi>
    );
  };
  const hasCpu = rows.some(({ cpu }) => cpu !== null);
  const cpu: RowColumn<DumpRow> = column('cpu', 'CPU', 50, (row) => row.cpu ?? '', NUMBER);
  const value = ({ bytes }: DumpRow) => text(by.value, bytes);
  return rowColumns<DumpRow>(
    (index) => rows[index],
    [
      column('key', 'Key', 130, ({ key }) => text(by.key, key), { grow: 1, mono: true }),
      ...(hasCpu ? [cpu] : []),
      column('value', 'Value', 170, value, { grow: 2, mono: true }),
    ],
  );
}

/** Shows the entries as a table, the selected value as a tree, and the dump as text. */
function DumpResult({ by, entries }: DumpResultProps) {
  const [chosen, setChosen] = useState(0);
  const rows = useMemo(() => dumpRows(entries), [entries]);
  const columns = useMemo(() => dumpColumns(by, rows), [by, rows]);
  const index = Math.min(chosen, rows.length - 1);
  const row = rows[index];
  return (
    <>
      <div>
        <DetailSection title="Entries" aside={countOf(entries.length, 'entry', 'entries')}>
          <div
            className="box no-overflow"
            style={{ height: Math.min(240, tableHeight(rows.length, 18)) }}
          >
            <VirtualTable
              label="Entries"
              columns={columns}
              count={rows.length}
              selectedIndex={row === undefined ? null : index}
              onSelect={setChosen}
              emptyText="The dump has no entries: the map was empty."
            />
          </div>
        </DetailSection>
        {row === undefined ? null : (
          <DetailSection
            title={`Value of entry ${row.entry}${row.cpu === null ? '' : `, CPU ${row.cpu}`}`}
          >
            <Entry key={`${by.value} ${index}`} by={by} bytes={row.bytes} />
          </DetailSection>
        )}
      </div>
      <DumpText by={by} entries={entries} />
    </>
  );
}

function Entry(props: { readonly by: DecodedBy; readonly bytes: Uint8Array | null }) {
  const { by, bytes } = props;
  const value = useMemo(() => bytes && decoded(by, by.value, bytes), [by, bytes]);
  if (value === null || bytes === null) {
    return <p className="small muted">The kernel returned no value for this key.</p>;
  }
  return <PlainValue value={value} given={bytes.length} />;
}

/** Row of the table of entries: an entry, or one CPU of an entry. */
type DumpRow = {
  readonly entry: number;
  readonly key: Uint8Array;
  readonly cpu: number | null;
  /** Bytes of the value; null if the kernel returned no value. */
  readonly bytes: Uint8Array | null;
};

export function dumpRows(entries: readonly DumpEntry[]): DumpRow[] {
  return entries.flatMap(({ key, values }, entry) =>
    values.map(({ cpu, bytes }) => ({ entry, key, cpu, bytes })),
  );
}

function decoded({ types, endian }: DecodedBy, type: TypeId, bytes: Uint8Array): Value {
  return decodeValue(types, type, bytes, 0, { endian });
}

/** Returns the first 16 bytes in hex. */
export function hexLine(bytes: Uint8Array): string {
  return `${hexBytes(bytes.subarray(0, 16))}${bytes.length > 16 ? ' …' : ''}`;
}

const DUMP_FORMS = { plain: 'map dump', pretty: '-p', json: '-j' } as const;

type DumpForm = keyof typeof DUMP_FORMS;

/** Maximum number of entries in the text of a dump. */
const SHOWN_ENTRIES = 200;

export function dumpText(entries: readonly DumpEntry[], map: MapTypes, form: DumpForm): string {
  const pieces: string[] = [];
  writeMapDump((piece) => pieces.push(piece), entries, map, form);
  return pieces.join('').trimEnd();
}
