import { useMemo, useState } from 'react';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { HeaderOptions } from '#print/c-dump/header.ts';
import { DECLARATION_FORMS, type DeclarationForm } from '#store/texts.ts';
import { declarationState } from '#store/view-state.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { DeclarationCode } from './DeclarationCode.tsx';
import { DeclarationDownload } from './DeclarationDownload.tsx';
import { DeclarationOptions } from './DeclarationOptions.tsx';
import styles from './DeclarationSection.module.css';
import { DetailSection } from './DetailSection.tsx';
import { declarationFileName, declarationText, FORM_WORDS } from './declaration-text.ts';
import { HUGE_NAMES, hasHugeNames } from './huge-names.ts';

const FORMS = DECLARATION_FORMS.map((value) => ({ value, label: FORM_WORDS[value].title }));

const WHOLE_HEADER: HeaderOptions = { members: null, preserveAccessIndex: true };

type DeclarationSectionProps = { readonly types: TypeTable; readonly type: TypeId };

/** The type as text: in C, in other languages, as the tools print it. */
export function DeclarationSection({ types, type }: DeclarationSectionProps) {
  const { form } = declarationState.useActive();
  return (
    <DetailSection title="Declaration" aside={FORM_WORDS[form].about}>
      <div className={styles.declaration}>
        <div className={styles.forms}>
          <Segmented
            label="Form"
            options={FORMS}
            value={form}
            onChange={(next) => declarationState.set({ form: next })}
          />
        </div>
        <Declaration key={`${type}:${form}`} types={types} type={type} form={form} />
      </div>
    </DetailSection>
  );
}

type DeclarationProps = DeclarationSectionProps & { readonly form: DeclarationForm };

/** Drawn anew for each type and form: what was chosen for one means nothing to another. */
function Declaration({ types, type, form }: DeclarationProps) {
  const [options, setOptions] = useState<HeaderOptions>(WHOLE_HEADER);
  const isHuge = useMemo(() => hasHugeNames(types, type), [types, type]);
  const text = useMemo(
    () => (isHuge ? '' : declarationText(types, type, form, options)),
    [types, type, form, options, isHuge],
  );
  return (
    <>
      {text === '' ? null : (
        <DeclarationDownload fileName={declarationFileName(types, type, form)} text={text} />
      )}
      {form === 'header' ? (
        <DeclarationOptions
          types={types}
          composite={compositeOf(types, type)}
          options={options}
          onOptions={setOptions}
        />
      ) : null}
      {text === '' ? (
        <p className={styles.none}>{isHuge ? HUGE_NAMES : nothingText(form)}</p>
      ) : (
        <DeclarationCode types={types} type={type} form={form} text={text} />
      )}
    </>
  );
}

function nothingText(form: DeclarationForm): string {
  return form === 'pahole'
    ? 'pahole writes structs and unions. This type is neither.'
    : `There is nothing to write as ${FORM_WORDS[form].title} for this type.`;
}
