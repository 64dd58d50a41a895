import { type ReactNode, useId, useMemo, useState } from 'react';
import type {
  LayoutField,
  LayoutValues,
  RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import {
  exampleLayout,
  layoutFields,
  layoutOf,
  layoutText,
  parseAddress,
  parseLayout,
} from '#analysis/relocations/layout.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark, scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import styles from './LayoutBar.module.css';
import { layoutState } from './layout-state.ts';

type LayoutBarProps = {
  readonly model: ObjectModel;
  readonly stated: StatedLayout;
  /** Summary in place of the addresses; null for none. */
  readonly summary?: string | null;
  /** Controls after the buttons. */
  readonly children?: ReactNode;
};

/** Shows the section addresses of the layout, with an editor. Hidden if no address matters. */
export function LayoutBar({ model, stated, summary = null, children }: LayoutBarProps) {
  const [isEditing, setEditing] = useState(false);
  const fields = layoutFields(model);
  if (fields.length === 0) return null;
  const { values, state } = stated;
  const isStated = values.size > 0;
  const hasStored = fields.some(({ stored }) => stored !== null);
  return (
    <Landmark className="surface line-below" aria-label="Layout">
      <div className={styles.line}>
        <span className="small muted">Layout</span>
        <span className={styles.summary} data-stated={isStated}>
          {summary ??
            (isStated
              ? summaryOf(fields, values)
              : hasStored
                ? 'as in the file'
                : 'no addresses set')}
        </span>
        <Button size="small" aria-expanded={isEditing} onClick={() => setEditing((is) => !is)}>
          Set addresses
        </Button>
        <Button size="small" onClick={() => state(exampleLayout(model))}>
          Example
        </Button>
        {isStated ? (
          <Button size="small" onClick={() => state(new Map())}>
            {hasStored ? 'As in the file' : 'Clear addresses'}
          </Button>
        ) : null}
        {children}
      </div>
      {isEditing ? <LayoutEditor fields={fields} values={values} onValues={state} /> : null}
    </Landmark>
  );
}

/** Maximum number of addresses in the summary. The editor shows all addresses. */
const MAX_SHOWN = 3;

function summaryOf(fields: readonly LayoutField[], values: StatedLayout['values']): string {
  const stated = fields.filter(({ key }) => values.has(key));
  const gp = stated.filter(({ what }) => what === 'gp' || what === 'base');
  const sections = stated.filter(({ what }) => what === 'section');
  const addresses = sections.length > 0 ? sections : stated.filter((field) => !gp.includes(field));
  const shown = [...addresses.slice(0, MAX_SHOWN), ...gp.slice(0, 1)];
  const text = shown
    .map(({ key, label }) => `${drawnName(label)} ${hexText(values.get(key) ?? 0n)}`)
    .join(', ');
  const more = stated.length - shown.length;
  return more > 0 ? `${text}, and ${more} more` : text;
}

type LayoutEditorProps = {
  readonly fields: readonly LayoutField[];
  readonly values: LayoutValues;
  readonly onValues: (values: LayoutValues) => void;
};

const GROUPS: readonly {
  readonly kinds: readonly LayoutField['what'][];
  readonly title: string;
}[] = [
  { kinds: ['section'], title: 'Sections begin at' },
  { kinds: ['gp'], title: 'Global pointer' },
  { kinds: ['base'], title: 'Bases' },
  {
    kinds: ['procedure', 'datum', 'thread-local'],
    title: 'Undefined symbols',
  },
];

/** Shows a text field for each address. An empty field means the address in the file. */
function LayoutEditor({ fields, values, onValues }: LayoutEditorProps) {
  const put = (key: string, value: bigint | null) => {
    const next = new Map(values);
    if (value === null) next.delete(key);
    else next.set(key, value);
    onValues(next);
  };
  return (
    <div className={styles.editor} {...scrollRegion('Addresses')}>
      {GROUPS.map(({ kinds, title }) => {
        const inGroup = fields.filter((field) => kinds.includes(field.what));
        return inGroup.length === 0 ? null : (
          <fieldset key={title} className={styles.group}>
            <legend className={styles.legend}>{title}</legend>
            {inGroup.map((field) => (
              <AddressBox
                key={`${field.key} ${values.get(field.key) ?? ''}`}
                field={field}
                value={values.get(field.key) ?? null}
                onValue={(value) => put(field.key, value)}
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}

type AddressBoxProps = {
  readonly field: LayoutField;
  readonly value: bigint | null;
  readonly onValue: (value: bigint | null) => void;
};

function AddressBox({ field, value, onValue }: AddressBoxProps) {
  const id = useId();
  const [text, setText] = useState(value === null ? '' : hexText(value));
  const typed = text.trim();
  const isWrong = typed !== '' && parseAddress(typed) === null;
  const take = () => {
    const next = typed === '' ? null : parseAddress(typed);
    if (!isWrong && next !== value) onValue(next);
  };
  return (
    <div className="grid gap-hair shrink">
      <label htmlFor={id} className="small mono soft ellipsis">
        {drawnName(field.label)}
      </label>
      <input
        id={id}
        type="text"
        className={styles.input}
        value={text}
        placeholder={field.stored === null ? 'not stated' : hexText(field.stored)}
        aria-invalid={isWrong}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
      {isWrong ? <span className={styles.wrong}>not an address</span> : null}
    </div>
  );
}

type StatedLayout = {
  /** Addresses for the computed values; null if addresses do not affect this file. */
  readonly layout: RelocationLayout | null;
  /** Addresses that the user has typed. */
  readonly values: LayoutValues;
  readonly state: (values: LayoutValues) => void;
};

/** Returns the layout with the addresses that the user has typed, and a setter for them. */
export function useStatedLayout(id: FileId, model: ObjectModel): StatedLayout {
  const text = layoutState.useOf(id).layout ?? '';
  const values = useMemo(() => parseLayout(text), [text]);
  const layout = useMemo(() => layoutOf(model, values), [model, values]);
  return { layout, values, state: stateLayout };
}

function stateLayout(values: LayoutValues): void {
  layoutState.set({ layout: values.size === 0 ? null : layoutText(values) });
}
