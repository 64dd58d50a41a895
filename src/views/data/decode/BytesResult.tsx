import { useMemo, useState } from 'react';
import { decodeValue } from '#analysis/values/decode.ts';
import type { TypeId } from '#model/ids.ts';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/Code.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { NO_PLACES, ValueTree } from '#views/data/ValueTree.tsx';
import {
  declarationOf,
  FORM_TITLES,
  VALUE_FORMS,
  type ValueForm,
  valueText,
} from '#views/data/value-texts.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import type { Decoder } from './dump-rows.ts';
import { sizeWords } from './size-words.ts';

type BytesResultProps = {
  readonly decoder: Decoder;
  readonly type: TypeId;
  readonly bytes: Uint8Array;
};

/** Bytes by a type. */
export function BytesResult({ decoder, type, bytes }: BytesResultProps) {
  const [form, setForm] = useState<ValueForm>('json');
  const { types, endian } = decoder;
  const value = useMemo(
    () => decodeValue(types, type, bytes, 0, { endian }),
    [types, endian, type, bytes],
  );
  const text = useMemo(
    () => valueText(value, form, `(${declarationOf(value, '', 'global')})`),
    [value, form],
  );
  const problem = sizeWords(value, bytes.length);
  return (
    <>
      <DetailSection title="Value" aside={countOf(bytes.length, 'byte')}>
        {problem === null ? null : <Callout severity="warning" title={problem} />}
        <ValueTree
          key={type}
          model={null}
          value={value}
          places={NO_PLACES}
          selection={null}
          selectedBytes={null}
          onBytes={() => undefined}
        />
      </DetailSection>
      <DetailSection
        title="As text"
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
    </>
  );
}
