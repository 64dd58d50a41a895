import { Binary, Boxes } from 'lucide-react';
import { useMemo } from 'react';
import { type Variable, variableBytes, variableValue } from '#analysis/values/variables.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { setViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { hexText, sizeText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { longSize } from '#views/parts/type-size-text.ts';
import { isOnItsWay, MOST_OF_SECTION } from '#views/parts/use-section-bytes.ts';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading, type HeadingFact } from './DataHeading.tsx';
import { EntryBadge } from './DataListRow.tsx';
import type { DataEntry } from './data-entries.ts';
import styles from './detail.module.css';
import { fileSpan } from './found-data.ts';
import { RawBytes } from './RawBytes.tsx';
import { SectionLink } from './SectionLink.tsx';
import { UsedBy } from './UsedBy.tsx';
import { ValueSection } from './ValueSection.tsx';
import { ValueTexts } from './ValueTexts.tsx';
import { declarationOf } from './value-texts.ts';

type VariableDetailProps = DetailProps & {
  readonly entry: DataEntry;
  readonly variable: Variable;
  /** The bytes of the section that are selected; null for the variable as a whole. */
  readonly bytes: Span | null;
};

/** A variable: its type and place, its value as a tree and as text, and what refers to it. */
export function VariableDetail(props: VariableDetailProps) {
  const { active, data, entry, variable, bytes, isFocused, onBack } = props;
  const { model } = active;
  const { sectionIndex, byteOffset, byteSize, type, varId, name, linkage } = variable;
  const span = fileSpan(model, sectionIndex, byteOffset, byteSize);
  const value = useMemo(
    () => variableValue(model, data.sectionBytes, variable),
    [model, data.sectionBytes, variable],
  );
  const isWaiting = isOnItsWay(model, data.sectionBytes, sectionIndex);
  return (
    <article className={styles.detail}>
      <DataHeading
        title={name}
        badge={<EntryBadge model={model} entry={entry} />}
        facts={factsOf(props)}
        isFocused={isFocused}
        onBack={onBack}
        actions={
          <>
            {span === null ? null : (
              <Button size="small" onClick={() => select({ kind: 'bytes', ...span }, 'bytes')}>
                <Binary size={14} aria-hidden />
                Show bytes
              </Button>
            )}
            {varId === null ? null : (
              <Button size="small" onClick={() => select(typeSelection(varId), 'types')}>
                <Boxes size={14} aria-hidden />
                Show in Types
              </Button>
            )}
          </>
        }
      >
        {value === null ? null : (
          <code className={styles.declaration}>
            {drawnName(`${declarationOf(value, name, linkage)};`)}
          </code>
        )}
      </DataHeading>
      {(byteOffset ?? 0) + byteSize > MOST_OF_SECTION && span !== null ? (
        <Callout
          severity="note"
          title={`Only the first ${sizeText(MOST_OF_SECTION)} of a section are read`}
        >
          What lies behind them has no value here. Its bytes are under Bytes.
        </Callout>
      ) : null}
      {value !== null ? (
        <>
          <ValueSection
            active={active}
            groups={data.groups}
            variable={variable}
            value={value}
            bytes={bytes}
          />
          <ValueTexts value={value} before={`${declarationOf(value, name, linkage)} = `} />
        </>
      ) : (
        <DetailSection title="Value">
          {isWaiting ? <p className={styles.note}>Loading…</p> : null}
          {!isWaiting && type === null ? (
            <RawBytes initial={variableBytes(model, data.sectionBytes, variable)} />
          ) : null}
          {!isWaiting && type !== null ? (
            <>
              <p className={styles.note}>Its bytes are not in this file.</p>
              <div>
                <Button size="small" onClick={() => setViewParam('data', 'mode', 'decode')}>
                  Decode bytes that you have
                </Button>
              </div>
            </>
          ) : null}
        </DetailSection>
      )}
      <UsedBy active={active} section={sectionIndex} byteOffset={byteOffset} byteSize={byteSize} />
    </article>
  );
}

function factsOf({ active, variable }: VariableDetailProps): HeadingFact[] {
  const { types } = active.model;
  const { type, section, sectionIndex, byteOffset, byteSize, linkage } = variable;
  const facts: HeadingFact[] = [];
  if (types !== null && type !== null) {
    facts.push({ term: 'Type', value: <TypeLink types={types} type={type} /> });
  }
  facts.push({
    term: 'Section',
    value: <SectionLink name={section} section={sectionIndex} datasec={null} />,
  });
  if (byteOffset !== null) facts.push({ term: 'Offset', value: hexText(byteOffset) });
  facts.push({ term: 'Size', value: longSize(BigInt(Math.max(0, byteSize))) });
  facts.push({ term: 'Linkage', value: linkage });
  return facts;
}
