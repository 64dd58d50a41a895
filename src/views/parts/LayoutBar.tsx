import { useState } from 'react';
import { exampleLayout, type LayoutField, layoutFields } from '#analysis/relocations/layout.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { Button } from '#ui/Button.tsx';
import styles from './LayoutBar.module.css';
import { LayoutEditor } from './LayoutEditor.tsx';
import { hexText } from './number-text.ts';
import type { StatedLayout } from './use-layout.ts';

type LayoutBarProps = { readonly model: ObjectModel; readonly stated: StatedLayout };

/** Where the linker would put things, in one line, and how to say otherwise. Nothing where layouts change nothing. */
export function LayoutBar({ model, stated }: LayoutBarProps) {
  const [isEditing, setEditing] = useState(false);
  const fields = layoutFields(model);
  if (fields.length === 0) return null;
  const { values, state } = stated;
  const isStated = values.size > 0;
  return (
    <section className="surface line-below" aria-label="Layout">
      <div className={styles.line}>
        <span className="small muted">Layout</span>
        <span className={styles.summary} data-stated={isStated}>
          {isStated ? summaryOf(fields, values) : 'as in the file: nothing moves'}
        </span>
        <Button size="small" aria-expanded={isEditing} onClick={() => setEditing((is) => !is)}>
          State addresses
        </Button>
        <Button size="small" onClick={() => state(exampleLayout(model))}>
          Example
        </Button>
        {isStated ? (
          <Button size="small" onClick={() => state(new Map())}>
            As in the file
          </Button>
        ) : null}
      </div>
      {isEditing ? <LayoutEditor fields={fields} values={values} onValues={state} /> : null}
    </section>
  );
}

/** The first few say enough; all are in the editor. */
const SHOWN = 3;

function summaryOf(fields: readonly LayoutField[], values: StatedLayout['values']): string {
  const told = fields.filter(({ key }) => values.has(key));
  const gp = told.find(({ what }) => what === 'gp');
  const sections = told.filter(({ what }) => what === 'section');
  const others = told.filter(({ what }) => what !== 'gp');
  const first = (sections.length > 0 ? sections : others).slice(0, SHOWN);
  const shown = gp === undefined ? first : [...first, gp];
  const text = shown
    .map(({ key, label }) => `${drawnName(label)} ${hexText(values.get(key) ?? 0n)}`)
    .join(', ');
  return told.length > shown.length ? `${text}, and ${told.length - shown.length} more` : text;
}
