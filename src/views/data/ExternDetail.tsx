import { Boxes } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { typeSelection } from '#model/selection.ts';
import { refOf } from '#model/type-table.ts';
import { declarationText } from '#print/value-text.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { longSize } from '#views/parts/type-size-text.ts';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading, type HeadingFact } from './DataHeading.tsx';
import { EntryBadge } from './DataListPane.tsx';
import { type DataEntry, type DataGroup, typeOfEntry } from './data-entries.ts';
import styles from './detail.module.css';
import { type Extern, externWords, isWeakSymbol, undefinedSymbol } from './extern-text.ts';
import { SectionLink } from './SectionLink.tsx';
import { UsedBy } from './UsedBy.tsx';

type ExternDetailProps = DetailProps & {
  readonly group: DataGroup;
  readonly entry: DataEntry;
};

/** A name that the file only refers to: where its value comes from when the object is loaded. */
export function ExternDetail({ active, group, entry, isFocused, onBack }: ExternDetailProps) {
  const { model } = active;
  const { types } = model;
  const symbol = undefinedSymbol(model, entry.name);
  const extern: Extern = {
    name: entry.name,
    section: group.name,
    isFunction: entry.kind === 'func',
    type:
      entry.kind === 'func' ? entry.func : entry.kind === 'variable' ? entry.variable.type : null,
    isWeak: isWeakSymbol(model, symbol),
  };
  const { from, missing } = externWords(types, extern);
  const own = typeOfEntry(entry);
  const shownType =
    extern.isFunction && types !== null && own !== null ? refOf(types, own) : extern.type;
  const size =
    entry.kind === 'variable' ? longSize(BigInt(Math.max(0, entry.variable.byteSize))) : null;
  const facts: HeadingFact[] = [{ term: 'Section', value: <SectionLink {...group} /> }];
  if (types !== null && own !== null && extern.type !== null) {
    facts.unshift({
      term: 'Type',
      value: <TypeLink types={types} type={extern.isFunction ? own : extern.type} />,
    });
  }
  if (size !== null) facts.push({ term: 'Size', value: size });
  facts.push({ term: 'Linkage', value: extern.isWeak ? 'extern, weak' : 'extern' });
  return (
    <article className={styles.detail}>
      <DataHeading
        title={entry.name}
        badge={<EntryBadge model={model} entry={entry} />}
        facts={facts}
        isFocused={isFocused}
        onBack={onBack}
        actions={
          own === null ? undefined : (
            <Button size="small" onClick={() => select(typeSelection(own), 'types')}>
              <Boxes size={14} aria-hidden />
              Show in Types
            </Button>
          )
        }
      >
        {types === null || shownType === null ? undefined : (
          <code className={styles.declaration}>
            {`extern ${drawnName(declarationText(types, shownType, entry.name))}${marksOf(extern)};`}
          </code>
        )}
      </DataHeading>
      <DetailSection title="Value source">
        <p>{from}</p>
        <p>{missing}</p>
      </DetailSection>
      <UsedBy active={active} section={null} byteOffset={null} byteSize={0} name={entry.name} />
    </article>
  );
}

/** What bpf_helpers.h writes behind the name. */
function marksOf({ section, isWeak }: Extern): string {
  const place = section === '.ksyms' ? ' __ksym' : section === '.kconfig' ? ' __kconfig' : '';
  return `${place}${isWeak ? ' __weak' : ''}`;
}
