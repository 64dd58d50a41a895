import { loadFacts } from '#analysis/values/load-facts.ts';
import { visible } from '#bytes/text.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { shortSize } from '#views/parts/type-size-text.ts';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading } from './DataHeading.tsx';
import summary from './DataSummary.module.css';
import type { DataGroup } from './data-entries.ts';
import styles from './detail.module.css';
import { LoadFactsText } from './LoadFactsText.tsx';
import { MapTable } from './MapTable.tsx';
import { SectionLink } from './SectionLink.tsx';
import { sectionAbout } from './section-words.ts';

/** All data of the file: its sections, its maps, what it tells the kernel. */
export function DataSummary({ active, data, isFocused, onBack }: DetailProps) {
  const { model } = active;
  const { groups } = data;
  const maps = groups.filter(({ role }) => role === 'maps').flatMap(({ entries }) => entries);
  return (
    <article className={styles.detail}>
      <DataHeading
        title={`Data of ${visible(model.name)}`}
        facts={[]}
        isFocused={isFocused}
        onBack={onBack}
      >
        <p>
          {model.format === 'btf'
            ? 'BTF by itself names variables and has no bytes of them. Choose “Decode a value” to read bytes that you have.'
            : active.selection.kind === 'none'
              ? 'Choose a variable or a map to see its value by type, its bytes and what refers to it.'
              : 'What is selected is no data of this file. Choose a variable or a map.'}
        </p>
      </DataHeading>
      {maps.length === 0 ? null : (
        <DetailSection title="Maps" aside={countOf(maps.length, 'map')}>
          <MapTable model={model} entries={maps} />
        </DetailSection>
      )}
      <DetailSection title="Sections" aside={countOf(groups.length, 'section')}>
        <ul className={summary.sections}>
          {groups.map((group) => (
            <li key={`${group.section} ${group.name}`} className={summary.section}>
              <SectionLink {...group} />
              <span className={styles.note}>{contentText(group)}</span>
              <span className={styles.note}>
                {group.section === null
                  ? ''
                  : `${shortSize(model.sections.declaredSize[group.section] ?? 0n)} bytes`}
              </span>
              <p className={summary.about}>{sectionAbout(model, group)}</p>
            </li>
          ))}
        </ul>
      </DetailSection>
      <LoadFactsText facts={loadFacts(model, data.sectionBytes)} />
    </article>
  );
}

function contentText({ role, entries }: DataGroup): string {
  switch (role) {
    case 'maps':
      return countOf(entries.length, 'map');
    case 'externs':
      return countOf(entries.length, 'name');
    case 'strings':
      return 'strings';
    default:
      return countOf(entries.length, 'variable');
  }
}
