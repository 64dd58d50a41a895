import { useId, useState } from 'react';
import { type LayoutField, type LayoutValues, parseAddress } from '#analysis/relocations/layout.ts';
import { drawnName } from '#bytes/text.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import styles from './LayoutEditor.module.css';
import { hexText } from './number-text.ts';

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
  {
    kinds: ['procedure', 'datum', 'thread-local'],
    title: 'Symbols that the file leaves open',
  },
];

/** One box for each address that may be stated. An empty box is as the file has it. */
export function LayoutEditor({ fields, values, onValues }: LayoutEditorProps) {
  const put = (key: string, value: bigint | null) => {
    const next = new Map(values);
    if (value === null) next.delete(key);
    else next.set(key, value);
    onValues(next);
  };
  return (
    <div className={styles.editor} {...scrollRegion('Addresses')}>
      {GROUPS.map(({ kinds, title }) => {
        const own = fields.filter((field) => kinds.includes(field.what));
        return own.length === 0 ? null : (
          <fieldset key={title} className={styles.group}>
            <legend className={styles.legend}>{title}</legend>
            {own.map((field) => (
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
