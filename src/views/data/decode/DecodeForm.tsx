import { useMemo, useRef } from 'react';
import { visible } from '#bytes/text.ts';
import type { Active } from '#store/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import type { DataGroup } from '#views/data/data-entries.ts';
import { countOf } from '#views/parts/number-text.ts';
import { TypeField } from '#views/parts/TypePicker.tsx';
import styles from './DecodeForm.module.css';
import { DecodeText } from './DecodeText.tsx';
import { decodeExample } from './decode-example.ts';
import { looksLikeDump, type ReadInput, readGivenFile } from './decode-input.ts';
import { DECODED_KINDS, type DecodeState, type DecodeTypes } from './decode-state.ts';

type DecodeFormProps = {
  readonly active: Active;
  readonly groups: readonly DataGroup[];
  readonly state: DecodeState;
  readonly types: DecodeTypes;
  readonly input: ReadInput;
  readonly onChange: (patch: Partial<DecodeState>) => void;
};

const SOURCES = [
  { value: 'hex', label: 'Hex' },
  { value: 'dump', label: 'Map dump' },
] as const;

const ORDERS = [
  { value: 'little', label: 'Little-endian' },
  { value: 'big', label: 'Big-endian' },
] as const;

/** What to decode, and by which types. */
export function DecodeForm({ active, groups, state, types, input, onChange }: DecodeFormProps) {
  const { id, model } = active;
  const chooser = useRef<HTMLInputElement>(null);
  const example = useMemo(() => decodeExample(model, groups), [model, groups]);
  if (model.types === null) return null;
  const pick = { id, types: model.types, kinds: DECODED_KINDS };
  const give = async (file: File) => onChange(await readGivenFile(file));
  // Whoever pastes a dump means a dump.
  const write = (text: string) =>
    onChange({ text, file: null, ...(looksLikeDump(text) ? { source: 'dump' as const } : {}) });
  return (
    <section className={styles.form} aria-labelledby="decode-heading">
      <h2 id="decode-heading" className="visually-hidden">
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
      <div className={styles.actions}>
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
          Choose a file…
        </Button>
        {state.text === '' && state.file === null ? null : (
          <Button size="small" variant="quiet" onClick={() => onChange({ text: '', file: null })}>
            Clear
          </Button>
        )}
        <input
          ref={chooser}
          type="file"
          tabIndex={-1}
          className="visually-hidden"
          aria-label="File of bytes, or a dump"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) void give(file);
            // The same file may be chosen again.
            event.target.value = '';
          }}
        />
        <p className={styles.given}>{givenText(input)}</p>
      </div>
    </section>
  );
}

function givenText(input: ReadInput): string {
  if (input.kind === 'bytes') return countOf(input.bytes.length, 'byte');
  return input.kind === 'entries' ? countOf(input.entries.length, 'entry', 'entries') : '';
}
