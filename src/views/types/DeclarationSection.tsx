import { Download } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { type SourceDeclaration, sourceDeclaration } from '#analysis/source/source-declaration.ts';
import { sourcedTypes } from '#analysis/source/source-types.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { HeaderOptions } from '#print/c-dump/header.ts';
import { type FileId, fileById, modelOf, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { Checkbox, Segmented } from '#ui/inputs.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { Name } from '#views/parts/Name.tsx';
import { HUGE_NAMES } from '#views/types/layout/PaholePane.tsx';
import { DeclarationCode } from './DeclarationCode.tsx';
import styles from './DeclarationSection.module.css';
import {
  choosableMembers,
  declarationFileName,
  declarationText,
  FORM_WORDS,
} from './declaration-text.ts';
import { DECLARATION_FORMS, type DeclarationForm, declarationState } from './state.ts';

type Forms = Readonly<Partial<Record<DeclarationForm, string>>>;

const ALL_FORMS: Forms = Object.fromEntries(
  DECLARATION_FORMS.map((form) => [form, FORM_WORDS[form].title]),
);
const { source: _, ...FORMS_OF_BTF }: Forms = ALL_FORMS;

const WHOLE_HEADER: HeaderOptions = { members: null, preserveAccessIndex: true };

type DeclarationSectionProps = { readonly types: TypeTable; readonly type: TypeId };

/** Returns the declaration in the language of the type's unit; null for C and BTF. */
function useSource(fileId: FileId, { types, type }: DeclarationSectionProps) {
  const model = useSession((state) => modelOf(fileById(state, fileId)));
  return useMemo(() => {
    const sourced = model?.types === types ? sourcedTypes(model) : null;
    return sourced === null || hasHugeNames(types, type) ? null : sourceDeclaration(sourced, type);
  }, [model, types, type]);
}

/** Shows a type as C, in other languages, or as the tools print it. */
export const DeclarationSection = memo(function DeclarationSection({
  fileId,
  types,
  type,
}: DeclarationSectionProps & { readonly fileId: FileId }) {
  const { form: asked } = declarationState.useActive();
  const source = useSource(fileId, { types, type });
  const form = asked === 'source' && source === null ? 'c' : asked;
  const choose = (next: DeclarationForm) => {
    // Without a language of its own, C is the form of the source.
    declarationState.set({ form: next === 'c' && source === null ? 'source' : next });
  };
  const about =
    form === 'source' && source !== null
      ? `as ${source.language} declares it`
      : FORM_WORDS[form].about;
  return (
    <DetailSection title="Declaration" aside={about}>
      <div className={styles.declaration}>
        <div className={styles.forms}>
          <Segmented
            label="Form"
            options={source === null ? FORMS_OF_BTF : ALL_FORMS}
            value={form}
            onChange={choose}
          />
        </div>
        {form === 'source' ? (
          source === null ? null : (
            <SourceText key={type} types={types} type={type} source={source} />
          )
        ) : (
          <Declaration key={`${type}:${form}`} types={types} type={type} form={form} />
        )}
      </div>
    </DetailSection>
  );
});

type SourceTextProps = DeclarationSectionProps & { readonly source: SourceDeclaration };

function SourceText({ types, type, source: { language, text } }: SourceTextProps) {
  return (
    <>
      <DeclarationDownload fileName={declarationFileName(types, type, language)} text={text} />
      <DeclarationCode types={types} type={type} form="source" text={text} />
    </>
  );
}

type DeclarationProps = DeclarationSectionProps & {
  readonly form: Exclude<DeclarationForm, 'source'>;
};

/** Shows the text in one form. Another type or form resets the options. */
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
        <p className="muted">{isHuge ? HUGE_NAMES : nothingText(form)}</p>
      ) : (
        <DeclarationCode types={types} type={type} form={form} text={text} />
      )}
    </>
  );
}

function nothingText(form: DeclarationProps['form']): string {
  return form === 'pahole'
    ? 'pahole prints structs and unions only.'
    : `This type has no ${FORM_WORDS[form].title} declaration.`;
}

type DeclarationDownloadProps = { readonly fileName: string; readonly text: string };

function DeclarationDownload({ fileName, text }: DeclarationDownloadProps) {
  return (
    <div className={styles.download}>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Download ${fileName}`}
        onClick={() => saveFile(fileName, text.endsWith('\n') ? text : `${text}\n`)}
        icon={Download}
      >
        <span className="shrink ellipsis">{fileName}</span>
      </Button>
    </div>
  );
}

const CHOICES = { all: 'All members', chosen: 'Chosen members' } as const;

type DeclarationOptionsProps = {
  readonly types: TypeTable;
  /** Struct or union whose members the user can choose; null for other types. */
  readonly composite: TypeId | null;
  readonly options: HeaderOptions;
  readonly onOptions: (options: HeaderOptions) => void;
};

function DeclarationOptions(props: DeclarationOptionsProps) {
  const { types, composite, options, onOptions } = props;
  const { members = null, preserveAccessIndex = false } = options;
  return (
    <div className="stack gap-2">
      <div className={styles.line}>
        {composite === null ? null : (
          <Segmented
            label="Members"
            options={CHOICES}
            value={members === null ? 'all' : 'chosen'}
            onChange={(choice) => onOptions({ ...options, members: choice === 'all' ? null : [] })}
          />
        )}
        <Checkbox
          isChecked={preserveAccessIndex}
          onChange={(isOn) => onOptions({ ...options, preserveAccessIndex: isOn })}
        >
          For CO-RE: preserve_access_index
        </Checkbox>
      </div>
      {members === null || composite === null ? null : (
        <>
          <DeclarationMembers
            types={types}
            composite={composite}
            chosen={members}
            onChosen={(chosen) => onOptions({ ...options, members: chosen })}
          />
          <p className="small muted">
            {preserveAccessIndex
              ? 'The other members are left out: CO-RE relocates the offsets.'
              : 'Padding replaces the other members, so that all offsets stay the same.'}
          </p>
        </>
      )}
    </div>
  );
}

/** Maximum number of checkboxes. The filter finds the other members. */
const MAX_BOXES = 400;
/** Number of members above which the list has a filter. */
const MANY = 16;

type DeclarationMembersProps = {
  readonly types: TypeTable;
  readonly composite: TypeId;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
};

function DeclarationMembers(props: DeclarationMembersProps) {
  const { types, composite, chosen, onChosen } = props;
  const { query, box } = useFilter();
  const names = useMemo(() => choosableMembers(types, composite), [types, composite]);
  const ticked = useMemo(() => new Set(chosen), [chosen]);
  const wanted = query.toLowerCase();
  const matching = names.filter((name) => name.toLowerCase().includes(wanted));
  const drawn = matching.slice(0, MAX_BOXES);

  // Keep the members in the order of the struct, not in the order of the clicks.
  const tick = (name: string, isOn: boolean) =>
    onChosen(names.filter((other) => (other === name ? isOn : ticked.has(other))));
  return (
    <div className="surface box">
      <div className={styles.head}>
        {names.length < MANY ? null : (
          <div className={styles.filter}>
            <FoundList label="Filter members" {...box} />
          </div>
        )}
        <span className="small muted">
          {grouped(chosen.length)} of {grouped(names.length)} chosen
        </span>
        <Button
          variant="quiet"
          size="small"
          disabled={chosen.length === 0}
          onClick={() => onChosen([])}
        >
          Clear
        </Button>
      </div>
      <fieldset className={styles.boxes} aria-label="Members of the header">
        {drawn.map((name) => (
          <Checkbox
            key={name}
            className={styles.member}
            title={drawnName(name)}
            isChecked={ticked.has(name)}
            onChange={(isOn) => tick(name, isOn)}
          >
            <Name text={name} />
          </Checkbox>
        ))}
        {drawn.length === 0 ? (
          <p className={styles.declarationOptionsNone}>No matching member</p>
        ) : null}
        {drawn.length < matching.length ? (
          <p className={styles.declarationOptionsNone}>
            {grouped(matching.length - drawn.length)} more: filter to see them
          </p>
        ) : null}
      </fieldset>
    </div>
  );
}
