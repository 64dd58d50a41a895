import { useMemo, useState } from 'react';
import type { Value } from '#analysis/values/decode.ts';
import { Code } from '#ui/Code.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { FORM_TITLES, FORM_WORDS, VALUE_FORMS, type ValueForm, valueText } from './value-texts.ts';

type ValueTextsProps = {
  readonly value: Value;
  /** What stands before the value in C: `int a = `. */
  readonly before: string;
};

/** The value as text to copy: in C, or as bpftool prints it. */
export function ValueTexts({ value, before }: ValueTextsProps) {
  const [form, setForm] = useState<ValueForm>('c');
  const text = useMemo(() => valueText(value, form, before), [value, form, before]);
  return (
    <DetailSection
      title="As text"
      aside={FORM_WORDS[form]}
      actions={
        <Segmented
          label="Form of the text"
          options={VALUE_FORMS.map((each) => ({ value: each, label: FORM_TITLES[each] }))}
          value={form}
          onChange={setForm}
        />
      }
    >
      <Code label={`${FORM_TITLES[form]} text of the value`} text={text}>
        {drawnLines(text)}
      </Code>
    </DetailSection>
  );
}
