import { Binary } from 'lucide-react';
import { type LoadFacts, loadFacts } from '#analysis/values/load-facts.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { longSize, shortSize } from '#views/parts/type-size-text.ts';
import type { DetailProps } from './DataDetail.tsx';
import { DataHeading, type HeadingFact } from './DataHeading.tsx';
import summary from './DataSummary.module.css';
import type { DataGroup } from './data-entries.ts';
import styles from './detail.module.css';
import { MapTable } from './MapTable.tsx';
import { SectionLink } from './SectionLink.tsx';
import { StringTable } from './StringTable.tsx';
import { sectionAbout, sectionWords } from './section-text.ts';
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
          <p>The selected bytes belong to no variable: they are padding, or undescribed.</p>
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
            <p className="small muted">
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

/** The licence and the version in words; with `only` one of them, by the name of its section. */
function LoadFactsText({ facts, only }: { readonly facts: LoadFacts; readonly only?: string }) {
  const { license, version } = facts;
  return (
    <>
      {license === null || only === 'version' ? null : (
        <DetailSection title="Licence">
          <p>
            “{drawnName(license)}”.{' '}
            {isGplCompatible(license)
              ? 'The kernel takes it for GPL-compatible: programs may call helpers that are for GPL programs only.'
              : 'The kernel does not take it for GPL-compatible: helpers that are for GPL programs only, such as bpf_trace_printk, are refused.'}
          </p>
        </DetailSection>
      )}
      {version === null || only === 'license' ? null : (
        <DetailSection title="Kernel version">
          <p>{versionText(version)}</p>
        </DetailSection>
      )}
    </>
  );
}

/** What the kernel makes of a licence and of a version. */

const COMPATIBLE: ReadonlySet<string> = new Set([
  'GPL',
  'GPL v2',
  'GPL and additional rights',
  'Dual BSD/GPL',
  'Dual MIT/GPL',
  'Dual MPL/GPL',
]);

/** Source: license_is_gpl_compatible of include/linux/license.h; letters and spaces count. */
export function isGplCompatible(license: string): boolean {
  return COMPATIBLE.has(license);
}

const ANY_VERSION = 0xffff_fffe;

/** `KERNEL_VERSION(5, 4, 0)`, and what it is good for. */
export function versionText(version: number): string {
  if (version === ANY_VERSION) {
    return `${hexText(version)}: the loader was to put the version of the running kernel in its place.`;
  }
  const [a, b, c] = [version >>> 16, (version >>> 8) & 0xff, version & 0xff];
  return `${hexText(version)}, KERNEL_VERSION(${a}, ${b}, ${c}). Kernels before 5.0 refused kprobe programs of another version.`;
}

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
              : 'Selection has no data. Choose a variable or a map.'}
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
              <span className="small muted">{contentText(group)}</span>
              <span className="small muted">
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
