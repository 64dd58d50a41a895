import { Binary, Highlighter, Workflow } from 'lucide-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { entrySpan } from '#analysis/dwarf/type-entries.ts';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { typeHeading } from '#analysis/source/type-text.ts';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TermId } from '#glossary/term-names.ts';
import { statedAlignment } from '#model/class-parts.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType, kindOf, lastId, recordSpan, type TypeTable } from '#model/type-table.ts';
import { highlightUses, removeHighlight, usePaneHighlight } from '#store/session/highlight.ts';
import { useOfPaneFile } from '#store/session/panes.ts';
import { type FileId, fileById, modelOf, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { hint } from '#ui/hints.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { WhenNear } from '#ui/WhenNear.tsx';
import { DetailHeading, type HeadingFact } from '#views/parts/DetailSection.tsx';
import { KindBadge, kindStyle } from '#views/parts/KindBadge.tsx';
import { countOf, longSize } from '#views/parts/number-text.ts';
import { PinMark, pinBadge } from '#views/parts/PinMark.tsx';
import { BesideButton, SelectButton } from '#views/parts/SelectButton.tsx';
import { TermList } from '#views/parts/Term.tsx';
import { TypeLink, useBaseName } from '#views/parts/TypeLink.tsx';
import { DeclarationSection } from './DeclarationSection.tsx';
import { InlineSitesSection } from './InlineSitesSection.tsx';
import {
  EnumeratorsSection,
  type OfType,
  ParamsSection,
  protoOf,
  VariablesSection,
} from './ItemSections.tsx';
import { LayoutSection } from './layout/LayoutSection.tsx';
import { WhatIfSection } from './layout/ReorderSection.tsx';
import { useTypePins } from './layout/use-members.ts';
import { MembersSection } from './MembersSection.tsx';
import { RawRecordSection } from './RawRecordSection.tsx';
import { ReferencesSection } from './ReferencesSection.tsx';
import { typesState } from './state.ts';
import styles from './TypeDetail.module.css';
import { placeFacts, typeFacts } from './type-facts.ts';

type TypeDetailProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly memberPath: readonly number[];
  /** List beside the type; null for a type that is shown inside another view. */
  readonly list: TypeList | null;
};

type TypeList = {
  /** True if the heading takes the focus, because the list that had the focus is now hidden. */
  readonly isFocused: boolean;
  readonly onBack: () => void;
};

/** Shows the heading and the content of one type. */
export function TypeDetail(props: TypeDetailProps) {
  const { fileId, types, type, list } = props;
  const composite = compositeOf(types, type);
  const asked = typeMode(typesState.useOf(fileId).as);
  const mode = composite === null ? 'c' : asked;
  return (
    <article className={styles.detail} data-wide={mode !== 'c'}>
      <TypeHeading fileId={fileId} types={types} type={type} list={list} />
      {composite === null ? null : (
        <div className={styles.modes}>
          <Segmented
            label="Show the type as"
            options={MODES}
            value={mode}
            onChange={(next) => typesState.set({ as: next === 'c' ? null : next })}
          />
        </div>
      )}
      <Body {...props} composite={composite} mode={mode} />
    </article>
  );
}

type BodyProps = TypeDetailProps & { readonly composite: TypeId | null; readonly mode: TypeMode };

function Body({ composite, mode, ...props }: BodyProps) {
  const { types, type, memberPath } = props;
  if (!hasType(types, type)) return <Missing types={types} type={type} />;
  if (composite === null || mode === 'c') {
    return <Sections {...props} />;
  }
  const struct = { types, type, composite, memberPath };
  return mode === 'layout' ? (
    <LayoutSection {...struct} onReorder={() => typesState.set({ as: 'what-if' })} />
  ) : (
    <WhatIfSection {...struct} />
  );
}

/** Estimated height of a section in CSS pixels, until the section is drawn. */
const SECTION_HEIGHT = 300;

function Sections(props: TypeDetailProps) {
  const { fileId, types, type, list } = props;
  const kind = kindOf(types, type);
  const composite = compositeOf(types, type);
  const proto = protoOf(types, type);
  // Some sections are drawn later than the others, and only beside a list of types.
  const isAll = useDeferredValue(type, null) === type && list !== null;
  return (
    <>
      <FactsSection fileId={fileId} types={types} type={type} />
      <DeclarationSection fileId={fileId} types={types} type={type} />
      {composite === null ? null : <MembersSection {...props} composite={composite} />}
      {kind === BtfKind.ENUM || kind === BtfKind.ENUM64 ? (
        <EnumeratorsSection types={types} type={type} />
      ) : null}
      {proto === null ? null : <ParamsSection types={types} type={proto} />}
      {kind === BtfKind.DATASEC ? <VariablesSection types={types} type={type} /> : null}
      {isAll && (kind === BtfKind.FUNC || kind === BtfKind.LOCSEC) ? (
        <InlineSitesSection key={type} fileId={fileId} types={types} type={type} />
      ) : null}
      {isAll ? (
        <>
          <WhenNear height={SECTION_HEIGHT} className={styles.sections}>
            <ReferencesSection fileId={fileId} types={types} type={type} />
          </WhenNear>
          <WhenNear height={SECTION_HEIGHT} className={styles.sections}>
            <RawRecordSection types={types} type={type} />
          </WhenNear>
        </>
      ) : null}
    </>
  );
}

function Missing({ types, type }: { readonly types: TypeTable; readonly type: TypeId }) {
  if (type === 0) {
    return (
      <Callout severity="note" title="Type 0 is void: it has no record">
        Type id 0 in a record is void, or nothing, in C.
      </Callout>
    );
  }
  return type < types.firstId ? (
    <Callout severity="note" title={`Type ${type} is in the base BTF, which is not open`}>
      This is split BTF: its own ids begin at {types.firstId}. The base of a module is the BTF of
      the kernel that it was built for.
    </Callout>
  ) : (
    <Callout severity="warning" title={`There is no type ${type}`}>
      {types.count === 0
        ? 'This BTF has no types.'
        : `The file has ${countOf(types.count, 'type')}; the last is ${lastId(types)}.`}
    </Callout>
  );
}

const MODES = { c: 'Declaration', layout: 'Layout', 'what-if': 'Reorder' } as const;
type TypeMode = keyof typeof MODES;

/** Returns the mode that an address names (`as=`); `c` for any other text. */
export function typeMode(param: string | null): TypeMode {
  return param === 'layout' || param === 'what-if' ? param : 'c';
}

/** Glossary terms by label, for labels with several meanings. */
const TERMS: Readonly<Partial<Record<string, TermId>>> = {
  Encoding: 'int-encoding',
  Elements: 'nelems',
  Declares: 'kind-fwd',
  Values: 'kind-flag',
  Component: 'component-idx',
};

/** Shows the fields of the record, such as encoding and linkage, without its items. */
const FactsSection = memo(function FactsSection(props: OfType & { readonly fileId: FileId }) {
  const { fileId, types, type } = props;
  const model = useSession((state) => modelOf(fileById(state, fileId)));
  const facts = useMemo(
    () => [...typeFacts(types, type), ...(model === null ? [] : placeFacts(model, type))],
    [model, types, type],
  );
  if (facts.length === 0) return null;
  const items = facts.map((fact) =>
    'type' in fact
      ? { term: fact.term, value: <TypeLink types={types} type={fact.type} badge /> }
      : { term: fact.term, value: fact.text, isMono: true },
  );
  return <TermList items={items} terms={TERMS} />;
});

/** Shows the name, kind, size, alignment and id of a type, and links to other views. */
const TypeHeading = memo(function TypeHeading(props: Omit<TypeDetailProps, 'memberPath'>) {
  const { fileId, types, type, list } = props;
  // Pins of a lesson on the type as a whole.
  const pins = useTypePins(fileId, type);
  const baseName = useBaseName(types, type);
  const hasEntry = useSession((state) => {
    const model = modelOf(fileById(state, fileId));
    return model !== null && entrySpan(model, type) !== null;
  });
  const hasBytes = hasEntry || recordSpan(types, type) !== null;
  return (
    <DetailHeading
      {...(list ?? {})}
      title={typeHeading(types, type)}
      badge={<KindBadge kind={kindOf(types, type)} decorative />}
      back="Back to types"
      hasCards={false}
      facts={factsOf(types, type, baseName)}
      actions={
        list === null ? undefined : (
          <>
            {pins.map((pin) => (
              <PinMark key={pinBadge(pin)} {...pin} />
            ))}
            {hasBytes ? <BytesButton type={type} /> : null}
            <BesideButton view="bytes" />
            {hasType(types, type) ? (
              <>
                <SelectButton selection={typeSelection(type)} view="graph" icon={Workflow}>
                  Show graph
                </SelectButton>
                <HighlightButton fileId={fileId} type={type} />
              </>
            ) : null}
          </>
        )
      }
    />
  );
});

/** Shows a button that leads to the bytes of the selected member, else of the type. */
function BytesButton({ type }: { readonly type: TypeId }) {
  const selected = useOfPaneFile((file) => file?.selection);
  const isIn = selected?.kind === 'type' && selected.type === type;
  return (
    <SelectButton selection={isIn ? selected : typeSelection(type)} view="bytes" icon={Binary}>
      Show bytes
    </SelectButton>
  );
}

/** Shows a button that highlights all uses of a type, or removes the highlight. */
function HighlightButton({ fileId, type }: Pick<TypeDetailProps, 'fileId' | 'type'>) {
  const isOn = usePaneHighlight()?.type === type;
  return (
    <Button
      size="small"
      icon={Highlighter}
      aria-pressed={isOn}
      {...hint('Highlight all uses', ['h'])}
      onClick={() => (isOn ? removeHighlight() : void highlightUses(fileId, type))}
    >
      Highlight uses
    </Button>
  );
}

function factsOf(types: TypeTable, type: TypeId, baseName: string | null): HeadingFact[] {
  const facts: HeadingFact[] = [
    { term: 'Kind', value: kindStyle(kindOf(types, type)).name },
    { term: 'Id', value: `[${type}]` },
  ];
  const size = longSize(sizeOf(types, type));
  if (size !== null) facts.push({ term: 'Size', value: size });
  const parts = types.places?.source.parts;
  const stated = parts === undefined ? null : statedAlignment(parts, type);
  const alignment = stated ?? alignOf(types, type);
  if (alignment > 0) facts.push({ term: 'Alignment', value: `${alignment}` });
  if (baseName !== null) facts.push({ term: 'From', value: baseName });
  return facts;
}
