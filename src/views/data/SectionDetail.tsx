import { Binary } from 'lucide-react';
import { loadFacts } from '#analysis/values/load-facts.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { longSize } from '#views/parts/type-size-text.ts';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading, type HeadingFact } from './DataHeading.tsx';
import type { DataGroup } from './data-entries.ts';
import styles from './detail.module.css';
import { LoadFactsText } from './LoadFactsText.tsx';
import { MapTable } from './MapTable.tsx';
import { StringTable } from './StringTable.tsx';
import { sectionWords } from './section-words.ts';
import { VariableTable } from './VariableTable.tsx';

type SectionDetailProps = DetailProps & {
  readonly group: DataGroup;
  /** Bytes of it that are selected and that no entry has. */
  readonly bytes: Span | null;
};

/** A section: what it is for, and all that is in it. */
export function SectionDetail(props: SectionDetailProps) {
  const { active, data, group, bytes, isFocused, onBack } = props;
  const { model } = active;
  const { section, role, entries } = group;
  const size = section === null ? null : (model.sections.declaredSize[section] ?? null);
  const hasBytes = section !== null && (model.sections.byteLength[section] ?? 0) > 0;
  const facts: HeadingFact[] = size === null ? [] : [{ term: 'Size', value: longSize(size) }];
  return (
    <article className={styles.detail}>
      <DataHeading
        title={group.name}
        facts={facts}
        isFocused={isFocused}
        onBack={onBack}
        actions={
          !hasBytes ? undefined : (
            <Button size="small" onClick={() => select({ kind: 'section', section }, 'bytes')}>
              <Binary size={14} aria-hidden />
              Show bytes
            </Button>
          )
        }
      >
        <p>{sectionWords(model, group)}</p>
        {bytes === null || role === 'strings' ? null : (
          <p>
            The selected bytes belong to no variable: they are padding, or nothing tells of them.
          </p>
        )}
      </DataHeading>
      {role === 'said' ? (
        <LoadFactsText facts={loadFacts(model, data.sectionBytes)} only={group.name} />
      ) : null}
      {role === 'maps' ? (
        <DetailSection title="Maps" aside={countOf(entries.length, 'map')}>
          <MapTable model={model} entries={entries} />
        </DetailSection>
      ) : null}
      {role === 'strings' && section !== null ? (
        <StringTable
          model={model}
          section={section}
          bytes={data.sectionBytes(section)}
          selected={bytes}
        />
      ) : null}
      {role === 'maps' || role === 'strings' ? null : (
        <DetailSection
          title={role === 'externs' ? 'Names' : 'Variables'}
          aside={countOf(entries.length, 'entry', 'entries')}
        >
          {entries.length === 0 ? (
            <p className={styles.note}>
              Neither BTF nor the symbol table of {visible(model.name)} names a variable here.
            </p>
          ) : (
            <VariableTable active={active} data={data} entries={entries} />
          )}
        </DetailSection>
      )}
    </article>
  );
}
