import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { BytesResult } from './BytesResult.tsx';
import styles from './DecodeResult.module.css';
import { DumpResult } from './DumpResult.tsx';
import type { ReadInput } from './decode-input.ts';
import type { DecodeState, DecodeTypes } from './decode-state.ts';
import { type Decoder, dumpRows } from './dump-rows.ts';

type DecodeResultProps = {
  readonly model: ObjectModel;
  readonly state: DecodeState;
  readonly types: DecodeTypes;
  readonly input: ReadInput;
};

/** What was given, by its type: as a tree and as JSON beside each other; or what is still missing. */
export function DecodeResult({ model, state, types, input }: DecodeResultProps) {
  const endian = state.endian ?? model.endian;
  const decoder = useMemo(
    (): Decoder | null => (model.types === null ? null : { types: model.types, endian }),
    [model.types, endian],
  );
  const rows = useMemo(() => (input.kind === 'entries' ? dumpRows(input.entries) : []), [input]);
  if (decoder === null) return null;
  if (types.value === null || input.kind === 'nothing' || input.kind === 'fault') {
    return <Missing hasType={types.value !== null} input={input} />;
  }
  return (
    <div className={styles.result}>
      {input.kind === 'bytes' ? (
        <BytesResult decoder={decoder} type={types.value} bytes={input.bytes} />
      ) : (
        <DumpResult
          decoder={decoder}
          value={types.value}
          keyType={types.key}
          entries={input.entries}
          rows={rows}
        />
      )}
    </div>
  );
}

function Missing({ hasType, input }: { readonly hasType: boolean; readonly input: ReadInput }) {
  if (input.kind === 'fault') {
    return <EmptyState title="It cannot be read yet" text="What is wrong stands under the text." />;
  }
  return hasType ? (
    <EmptyState
      title="Give the bytes"
      text="Paste hex or the JSON of bpftool map dump -j, or drop a file on the field above. Everything stays in this page."
    />
  ) : (
    <EmptyState
      title="Choose the type of the value"
      text="Any type of this file will do: the value of a map, a struct, all of .data at once. The bytes are then read as a tree and as the JSON that bpftool prints. The example of the BTF document is struct tmp_t; it can be tried in a file that has it."
    />
  );
}
