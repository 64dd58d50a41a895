import { useEffect, useMemo, useState } from 'react';
import { typeSelection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { Data } from '#views/data/use-data.ts';
import { DecodeForm } from './DecodeForm.tsx';
import styles from './DecodePanel.module.css';
import { DecodeResult } from './DecodeResult.tsx';
import { readInput } from './decode-input.ts';
import { type DecodeState, decodeTypes, keepState, keptState } from './decode-state.ts';

type DecodePanelProps = { readonly active: Active; readonly data: Data };

/** Bytes that a person has, read by a type of the file. */
export function DecodePanel({ active, data }: DecodePanelProps) {
  const { model, selection } = active;
  const [state, setState] = useState(() => keptState(model));
  const types = useMemo(
    () => decodeTypes(model, data.groups, selection, state),
    [model, data.groups, selection, state],
  );
  const input = useMemo(
    () => readInput(state.source, state.text, state.file),
    [state.source, state.text, state.file],
  );
  const change = (patch: Partial<DecodeState>) => {
    if (patch.types === undefined) {
      setState((now) => ({ ...now, ...patch }));
      return;
    }
    // The type that is read by is the page's selection: the address then names it.
    const { value } = patch.types;
    const of = value === null || value === types.value ? selection : typeSelection(value);
    select(of);
    setState((now) => ({ ...now, ...patch, of }));
  };
  useEffect(() => keepState(model, state), [model, state]);
  return (
    <div className={styles.panel}>
      <DecodeForm
        active={active}
        groups={data.groups}
        state={state}
        types={types}
        input={input}
        onChange={change}
      />
      <DecodeResult model={model} state={state} types={types} input={input} />
    </div>
  );
}
