import { type ComponentProps, useId, useMemo, useRef, useState } from 'react';
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { TypedMap } from '#analysis/values/dumped-map.ts';
import { looksLikeDump } from '#analysis/values/map-dump.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { hexByte } from '#ui/hex-marks.ts';
import { FileInput, Segmented } from '#ui/inputs.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { TypeField } from '#views/parts/TypePicker.tsx';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import styles from './DecodePanel.module.css';
import { DecodeResult } from './DecodeResult.tsx';
import type { Data, DataGroup } from './data-entries.ts';
import {
  DECODED_KINDS,
  type DecodeSource,
  type DecodeState,
  type DecodeTypes,
  decodeState,
  decodeTypes,
  faultLine,
  fittingMaps,
  type InputFault,
  type ReadInput,
  readGivenFile,
  readInput,
} from './decode-state.ts';

/** Shows a form for bytes or a dump, and the value that they have as a type of the file. */
export function DecodePanel({ active, data }: { readonly active: Active; readonly data: Data }) {
  const { id, model, selection } = active;
  const state = decodeState.useOf(id);
  const input = useMemo(
    () => readInput(state.source, state.text, state.file),
    [state.source, state.text, state.file],
  );
  const fitting = useMemo(
    () => fittingMaps(model, data.groups, input),
    [model, data.groups, input],
  );
  const types = useMemo(
    () => decodeTypes(model, data.groups, selection, state, fitting),
    [model, data.groups, selection, state, fitting],
  );
  const change = (patch: Partial<DecodeState>) => {
    if (patch.types === undefined) {
      decodeState.set(patch, id);
      return;
    }
    // Select the type that the user chooses, so that the page's address names the type.
    const { value } = patch.types;
    const of = value === null || value === types.value ? selection : typeSelection(value);
    select(of);
    decodeState.set({ ...patch, of }, id);
  };
  return (
    <div className="stack tall scroll-y at-top">
      <DecodeForm
        active={active}
        groups={data.groups}
        state={state}
        types={types}
        input={input}
        fitting={fitting}
        onChange={change}
      />
      <DecodeResult model={model} state={state} types={types} input={input} />
    </div>
  );
}

type DecodeFormProps = Omit<ComponentProps<typeof DecodeResult>, 'model'> & {
  readonly active: Active;
  readonly groups: readonly DataGroup[];
  /** Maps of the file that the dump fits. */
  readonly fitting: readonly TypedMap[];
  readonly onChange: (patch: Partial<DecodeState>) => void;
};

const SOURCES = { hex: 'Hex', dump: 'Map dump' } as const;

const ORDERS = { little: 'Little-endian', big: 'Big-endian' } as const;

/** Shows the fields of the form: bytes or a dump, types, byte order. */
function DecodeForm(props: DecodeFormProps) {
  const { active, groups, state, types, input, fitting, onChange } = props;
  const titleId = useId();
  const { id, model } = active;
  const chooser = useRef<HTMLInputElement>(null);
  const example = useMemo(() => decodeExample(model, groups), [model, groups]);
  if (model.types === null) return null;
  const pick = { id, types: model.types, kinds: DECODED_KINDS };
  const give = async (file: File) => onChange(await readGivenFile(file));
  // A pasted dump switches the form from bytes to a dump.
  const write = (text: string) =>
    onChange({ text, file: null, ...(looksLikeDump(text) ? { source: 'dump' as const } : {}) });
  return (
    <Landmark className={styles.form} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Decode a value
      </h2>
      <div className={styles.row}>
        <div className={styles.type}>
          <TypeField
            {...pick}
            label="Type of the value"
            placeholder="struct flow, enum xdp_action, #12"
            value={types.value}
            onValue={(value) => onChange({ types: { ...types, value } })}
          />
        </div>
        {state.source === 'dump' ? (
          <div className={styles.type}>
            <TypeField
              {...pick}
              label="Type of the key"
              placeholder="None: keys stay bytes"
              value={types.key}
              onValue={(key) => onChange({ types: { ...types, key } })}
            />
          </div>
        ) : null}
        <Segmented
          label="What is given"
          options={SOURCES}
          value={state.source}
          onChange={(source) => onChange({ source, file: null })}
        />
        <Segmented
          label="Byte order"
          options={ORDERS}
          value={state.endian ?? model.endian}
          onChange={(endian) => onChange({ endian })}
        />
      </div>
      <DecodeText state={state} input={input} onText={write} onFile={(file) => void give(file)} />
      <div className="row wrap gap-2">
        {example === null ? null : (
          <Button
            size="small"
            title={visible(example.about)}
            onClick={() =>
              onChange({
                source: example.source,
                text: example.text,
                types: example.types,
                file: null,
                endian: null,
              })
            }
          >
            {visible(example.title)}
          </Button>
        )}
        <Button size="small" onClick={() => chooser.current?.click()}>
          Open file…
        </Button>
        {state.text === '' && state.file === null ? null : (
          <Button size="small" variant="quiet" onClick={() => onChange({ text: '', file: null })}>
            Clear
          </Button>
        )}
        <FileInput
          ref={chooser}
          label="File of bytes, or a dump"
          onFiles={([file]) => {
            if (file !== undefined) void give(file);
          }}
        />
        <p className="small muted">{givenText(input)}</p>
        {fitting.map(({ name, key, value }) => {
          const isChosen = types.value === value && types.key === key;
          return (
            <Button
              key={name}
              size="small"
              aria-pressed={isChosen}
              title={`Decode the dump as the map ${visible(name)}`}
              onClick={() => onChange({ types: { key, value } })}
            >
              {`Map ${visible(name)}`}
            </Button>
          );
        })}
      </div>
    </Landmark>
  );
}

function givenText(input: ReadInput): string {
  if (input.kind === 'bytes') return countOf(input.bytes.length, 'byte');
  return input.kind === 'dump' ? countOf(input.dump.entries.length, 'entry', 'entries') : '';
}

/** Maximum number of characters in the text box: longer texts make it slow. */
const MAX_BOX_TEXT = 200_000;

type DecodeTextProps = Pick<DecodeFormProps, 'state' | 'input'> & {
  readonly onText: (text: string) => void;
  readonly onFile: (file: File) => void;
};

const ABOUT = {
  hex: 'Hex bytes: 2a 00 00 00, 0x2a 0x00 or 2a000000. A file of bytes can be dropped here.',
  dump: 'The output of: bpftool map dump id 12, with -j or without. A file can be dropped here.',
} as const;

/** Shows the text box for bytes or a dump. An error is shown below the box. */
function DecodeText({ state, input, onText, onFile }: DecodeTextProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = useFileDrop(([file]) => file && onFile(file), setOver);
  const fault = input.kind === 'fault' ? input.fault : null;
  const { file, text, source } = state;
  return (
    <div className={styles.frame} data-over={isOver} {...drop}>
      {file !== null ? (
        <p className={styles.large}>
          {drawnName(file.name)}: {countOf(file.bytes.length, 'byte')}
        </p>
      ) : text.length > MAX_BOX_TEXT ? (
        <p className={styles.large}>{sizeText(text.length)} of text</p>
      ) : (
        <textarea
          className={styles.box}
          aria-label={source === 'hex' ? 'Hex bytes' : 'Map dump'}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : id}
          placeholder={ABOUT[source]}
          value={text}
          rows={text.length > 400 ? 6 : 3}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => onText(event.target.value)}
        />
      )}
      {fault === null ? null : <Fault id={id} text={text} fault={fault} />}
    </div>
  );
}

type FaultProps = {
  readonly id: string;
  readonly text: string;
  readonly fault: InputFault;
};

/** Shows an error, and the line of the text with the wrong part marked. */
function Fault({ id, text, fault }: FaultProps) {
  const at = fault.at === null ? null : faultLine(text, fault.at);
  return (
    <div id={id} className={styles.fault} data-tone="danger">
      <p>
        {drawnName(fault.message)}
        {at === null ? '' : ` (line ${at.line})`}
      </p>
      {at === null ? null : (
        <pre className={styles.place} aria-hidden>
          {drawnName(at.before)}
          <mark className={styles.wrong}>{drawnName(at.wrong) || ' '}</mark>
          {drawnName(at.after)}
        </pre>
      )}
    </div>
  );
}

/** Example that fills the form: a value and the types to decode it as. */
type DecodeExample = {
  readonly title: string;
  /** Sentence that says where the example is from. Names are not escaped. */
  readonly about: string;
  readonly source: DecodeSource;
  readonly text: string;
  readonly types: DecodeTypes;
};

/** Returns the example of the BTF document, else an example for a map of the file, else null. */
export function decodeExample(
  model: ObjectModel,
  groups: readonly DataGroup[],
): DecodeExample | null {
  return ofDocument(model) ?? ofMap(model, groups);
}

/** Bytes of the value of the dump in "BTF Type Format", section 5.1 (bpftool map pretty print). */
const OF_DOCUMENT: Readonly<Record<Endian, string>> = {
  little: '42 60 00 00  07 00 00 00  a8 00 00 00',
  big: '24 06 00 00  00 00 00 07  8a 00 00 00',
};

function ofDocument({ types, endian }: ObjectModel): DecodeExample | null {
  const tmp =
    types === null ? null : findTypeKey(types, { kind: 'struct', name: 'tmp_t', ordinal: 0 });
  if (types === null || tmp === null || sizeOf(types, tmp) !== 12n) return null;
  return {
    title: 'Example of the BTF document',
    about: 'The value of tmpmap in “bpftool map pretty print”: a1 is 2, a2 is 4, a3 is 6.',
    source: 'hex',
    text: OF_DOCUMENT[endian],
    types: { value: tmp, key: null },
  };
}

const MAX_BYTES = 4096;

function ofMap({ types }: ObjectModel, groups: readonly DataGroup[]): DecodeExample | null {
  for (const entry of groups.flatMap(({ entries }) => entries)) {
    if (types === null || entry.kind !== 'map') continue;
    const { key, value, name, mapTypeName } = entry.map;
    const [keySize, valueSize] = [key.byteSize ?? 0, value.byteSize ?? 0];
    if (key.type === null || value.type === null) continue;
    if (keySize === 0 || valueSize === 0 || keySize + valueSize > MAX_BYTES) continue;
    const isPerCpu = mapTypeName?.includes('PERCPU') === true;
    return {
      title: `Example: a dump of ${name}`,
      about: `Constructed: two entries as bpftool map dump -j prints them for ${name}.`,
      source: 'dump',
      text: dumpText(keySize, valueSize, isPerCpu),
      types: { value: value.type, key: key.type },
    };
  }
  return null;
}

/** Returns a dump with two entries. Bytes count up, so that the user can recognise each of them. */
function dumpText(keySize: number, valueSize: number, isPerCpu: boolean): string {
  const bytes = (count: number, first: number) =>
    Array.from({ length: count }, (_, i) => `0x${hexByte((first + i) & 0xff)}`);
  const entries = [0, 1].map((number) => {
    const key = [...bytes(1, number), ...Array<string>(keySize - 1).fill('0x00')];
    const value = bytes(valueSize, 0x10 * (number + 1));
    if (!isPerCpu) return { key, value };
    return {
      key,
      values: [0, 1].map((cpu) => ({ cpu, value: bytes(valueSize, 0x40 * (cpu + number)) })),
    };
  });
  return `[${entries.map((entry) => JSON.stringify(entry)).join(',\n')}]`;
}
