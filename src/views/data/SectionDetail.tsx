import { Binary } from 'lucide-react';
import { type ComponentProps, useMemo } from 'react';
import { type LoadFacts, loadFacts } from '#analysis/libbpf/programs.ts';
import { type DataString, isZeros, stringsOf } from '#analysis/values/object-data.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName, hexText, visible } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { stringLiteral } from '#print/value-text.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns, tableHeight } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, longSize, shortSize } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { DataArticle, type DetailProps, SectionLink } from './DataArticle.tsx';
import summary from './DataSummary.module.css';
import type { DataGroup, DataRole } from './data-entries.ts';
import styles from './detail.module.css';
import { MapTable, VariableTable } from './EntryTables.tsx';
import { fileSpan } from './selected-data.ts';

type SectionDetailProps = DetailProps & {
  readonly group: DataGroup;
  /** Selected bytes of the section that are in no entry; null if there are none. */
  readonly bytes: Span | null;
};

/** Shows what a section is for, and its entries. */
export function SectionDetail(props: SectionDetailProps) {
  const { active, data, group, bytes } = props;
  const { model } = active;
  const { section, role, entries } = group;
  const size = section === null ? null : (model.sections.declaredSize[section] ?? null);
  const hasBytes = section !== null && (model.sections.byteLength[section] ?? 0) > 0;
  return (
    <DataArticle
      of={props}
      title={group.name}
      facts={{ Size: longSize(size) }}
      actions={
        hasBytes ? (
          <SelectButton selection={{ kind: 'section', section }} view="bytes" icon={Binary}>
            Show bytes
          </SelectButton>
        ) : undefined
      }
      about={
        <>
          <p>{sectionText(model, group)}</p>
          {bytes === null || role === 'strings' ? null : (
            <p>No variable has the selected bytes: they are padding, or undescribed.</p>
          )}
        </>
      }
    >
      {role === 'said' ? (
        <LoadFactsText facts={loadFacts(model, data.sectionBytes)} only={group.name} />
      ) : null}
      {role === 'maps' ? <MapsSection model={model} entries={entries} /> : null}
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
            <VariableTable model={model} data={data} entries={entries} />
          )}
        </DetailSection>
      )}
    </DataArticle>
  );
}

function MapsSection(props: ComponentProps<typeof MapTable>) {
  return (
    <DetailSection title="Maps" aside={countOf(props.entries.length, 'map')}>
      <MapTable {...props} />
    </DetailSection>
  );
}

/** Shows licence and kernel version, or one of them if `only` is the name of its section. */
function LoadFactsText({ facts, only }: { readonly facts: LoadFacts; readonly only?: string }) {
  const { license, version } = facts;
  return (
    <>
      {license === null || only === 'version' ? null : (
        <DetailSection title="Licence">
          <p>
            “{drawnName(license)}”.{' '}
            {isGplCompatible(license)
              ? 'GPL-compatible: programs may call GPL-only helpers.'
              : 'Not GPL-compatible: the kernel rejects calls of GPL-only helpers such as bpf_trace_printk.'}
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

const COMPATIBLE: ReadonlySet<string> = new Set([
  'GPL',
  'GPL v2',
  'GPL and additional rights',
  'Dual BSD/GPL',
  'Dual MIT/GPL',
  'Dual MPL/GPL',
]);

/**
 * Returns true if the kernel accepts exactly this text as GPL-compatible. Source:
 * license_is_gpl_compatible of include/linux/license.h.
 */
export function isGplCompatible(license: string): boolean {
  return COMPATIBLE.has(license);
}

const ANY_VERSION = 0xffff_fffe;

/** Returns what a version number means, with the text `KERNEL_VERSION(5, 4, 0)`. */
export function versionText(version: number): string {
  if (version === ANY_VERSION) {
    return `${hexText(version)}: the loader replaces it with the version of the running kernel.`;
  }
  const [a, b, c] = [version >>> 16, (version >>> 8) & 0xff, version & 0xff];
  return `${hexText(version)}, KERNEL_VERSION(${a}, ${b}, ${c}). Kernels before 5.0 rejected kprobe programs of another version.`;
}

/** Shows a summary of all data: maps, sections, licence and kernel version. */
export function DataSummary(props: DetailProps) {
  const { active, data } = props;
  const { model } = active;
  const { groups } = data;
  const maps = groups.filter(({ role }) => role === 'maps').flatMap(({ entries }) => entries);
  return (
    <DataArticle
      of={props}
      title={`Data of ${visible(model.name)}`}
      about={<p>{summaryText(active)}</p>}
    >
      {maps.length === 0 ? null : <MapsSection model={model} entries={maps} />}
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
    </DataArticle>
  );
}

function summaryText({ model, selection }: Active): string {
  if (model.format === 'btf') {
    return 'A BTF blob has no bytes of variables. Choose “Decode a value” to decode your own bytes.';
  }
  return selection.kind === 'none'
    ? 'Choose a variable or a map to see its typed value, its bytes and the code that refers to it.'
    : 'Selection has no data. Choose a variable or a map.';
}

function contentText({ role, entries }: DataGroup): string {
  const nouns: Partial<Record<DataRole, string>> = { maps: 'map', externs: 'name' };
  return role === 'strings' ? 'strings' : countOf(entries.length, nouns[role] ?? 'variable');
}

/** Returns the first sentence of `sectionText`. */
export function sectionAbout(model: ObjectModel, group: DataGroup): string {
  const words = sectionText(model, group);
  return words.slice(0, words.search(/\. |\.$/) + 1);
}

/**
 * Returns two or three sentences on what a data section is for. Source: libbpf's
 * bpf_object__elf_collect and bpf_object__init_global_data_maps.
 */
export function sectionText(model: ObjectModel, { name, section, role }: DataGroup): string {
  if (!isBpf(model)) {
    return section === null
      ? 'BTF lists these variables by their section. Their bytes are not in this file.'
      : 'BTF lists these variables by their section.';
  }
  if (role === 'maps') return name === '.maps' ? MAPS : OLD_MAPS;
  if (role === 'strings') return STRINGS;
  const known = WORDS.get(name);
  if (known !== undefined) return known;
  if (/^\??\.struct_ops(\.link)?$/.test(name)) return STRUCT_OPS;
  if (name.startsWith('.data.')) return `Variables in a custom section. ${ONE_ELEMENT}`;
  if (name.startsWith('.rodata.')) return `Constants in a custom section. ${READ_ONLY}`;
  if (section !== null && isZeros(model, section)) {
    return 'Zero-initialised variables in a custom section. libbpf creates a map for .bss only, so code that refers to this section does not load.';
  }
  return 'Variables in a section that libbpf does not support. libbpf creates no map for it, so code that refers to it does not load.';
}

const ONE_ELEMENT =
  'libbpf creates an array map whose one element is the section, with these bytes as its initial value.';
const READ_ONLY = `${ONE_ELEMENT} It is frozen before programs load, so the verifier treats the values as constants.`;

const MAPS =
  'Map definitions. libbpf reads them from the types: the bytes are zero, except slots that relocations fill.';
const OLD_MAPS =
  'Legacy map definitions (struct bpf_map_def). libbpf rejects them since version 1.0.';
const STRINGS =
  'String literals, merged by the compiler. Pointers refer to them; the section has no variables.';
const STRUCT_OPS =
  'Tables of kernel callbacks, implemented by programs. libbpf creates a STRUCT_OPS map for each variable; relocations assign the programs.';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['.data', `Initialised variables. ${ONE_ELEMENT}`],
  ['.rodata', `Constants. ${READ_ONLY}`],
  [
    '.bss',
    'Zero-initialised variables, which take no bytes in the file. libbpf creates an array map whose one element is the section.',
  ],
  [
    '.kconfig',
    'Kernel configuration options. Before it loads the object, libbpf reads the configuration of the running kernel and writes the values into a read-only map.',
  ],
  [
    '.ksyms',
    'Functions and variables of the kernel. libbpf resolves them when it loads the object.',
  ],
  ['license', 'The licence of the programs, which libbpf passes to the kernel.'],
  ['version', 'The kernel version that programs are for. Kernels before 5.0 required it.'],
  ['.addr_space.1', 'Variables in an arena: memory that programs and user space share by address.'],
]);

type StringTableProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly bytes: Uint8Array | null;
  /** Selected bytes, as offsets in the section; null if there are none. */
  readonly selected: Span | null;
};

/** Shows the strings of a section. Selecting a row selects the bytes of the string. */
function StringTable({ model, section, bytes, selected }: StringTableProps) {
  const strings = useMemo(() => (bytes === null ? null : [...stringsOf(bytes)]), [bytes]);
  const columns = useMemo(() => rowColumns((index) => strings?.[index], STRING_COLUMNS), [strings]);
  if (strings === null) return null;
  const start = selected?.start ?? -1;
  const at = strings.findIndex(
    ({ byteOffset, bytes: text }) => start >= byteOffset && start <= byteOffset + text.length,
  );
  const choose = (index: number, view?: 'bytes') => {
    const string = strings[index];
    if (string === undefined) return;
    const span = fileSpan(model, section, string.byteOffset, string.bytes.length + 1);
    if (span !== null) select({ kind: 'bytes', ...span }, view);
  };
  return (
    <DetailSection title="Strings" aside={countOf(strings.length, 'string')}>
      <div className={styles.frame} style={{ height: tableHeight(strings.length, 18) }}>
        <VirtualTable
          label="Strings"
          columns={columns}
          count={strings.length}
          selectedIndex={at < 0 ? null : at}
          onSelect={(index) => choose(index)}
          onActivate={(index) => choose(index, 'bytes')}
          scrollToIndex={at < 0 ? null : at}
        />
      </div>
    </DetailSection>
  );
}

const STRING_COLUMNS: readonly RowColumn<DataString>[] = [
  column('offset', 'Offset', 80, ({ byteOffset }) => offsetCell(byteOffset), NUMBER),
  // The text needs no more escaping, because `stringLiteral` escapes it.
  column('text', 'String', 200, ({ bytes }) => stringLiteral(bytes), { grow: 1, mono: true }),
  column('size', 'Size', 64, ({ bytes }) => grouped(bytes.length + 1), NUMBER),
];
