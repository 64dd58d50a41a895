import type { ComponentProps, ReactNode } from 'react';
import { functionAt } from '#analysis/objects/functions.ts';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { addTo } from '#bytes/cache.ts';
import { Derived, isRest, type Steps } from '#bytes/long-work.ts';
import { drawnName } from '#bytes/text.ts';
import {
  type RelocIndex,
  relocIndex,
  type SectionIndex,
  sectionIndex,
  symbolIndex,
} from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { DetailHeading, DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useWriteOffset } from '#views/parts/Offset.tsx';
import { type Data, type DataGroup, selectionOfGroup } from './data-entries.ts';
import styles from './detail.module.css';

export type DetailProps = {
  readonly active: Active;
  readonly data: Data;
  /** Whether to focus the heading. Needed in a narrow view, which hides the list with the focus. */
  readonly isFocused: boolean;
  readonly onBack: () => void;
};

type DataArticleProps = Pick<
  ComponentProps<typeof DetailHeading>,
  'title' | 'badge' | 'actions'
> & {
  readonly of: DetailProps;
  /** Values of the facts by name. A fact with the value null is not shown. */
  readonly facts?: Readonly<Record<string, ReactNode>>;
  /** Declaration or description below the facts. */
  readonly about: ReactNode;
  readonly children: ReactNode;
};

/** Shows a heading and content about the selected data. */
export function DataArticle({ of, facts = {}, about, children, ...heading }: DataArticleProps) {
  return (
    <article className={styles.detail}>
      <DetailHeading
        {...heading}
        back="Back to the list"
        facts={Object.entries(facts).flatMap(([term, value]) =>
          value === null ? [] : [{ term, value }],
        )}
        isFocused={of.isFocused}
        onBack={of.onBack}
      >
        {about}
      </DetailHeading>
      {children}
    </article>
  );
}

/** Shows the name of a section. A click selects the section. */
export function SectionLink(group: Pick<DataGroup, 'name' | 'section' | 'datasec'>) {
  const selection = selectionOfGroup(group);
  const name = <Name text={group.name} otherwise="(no name)" />;
  if (selection === null) return name;
  return (
    <button type="button" className={styles.link} onClick={() => select(selection)}>
      {name}
    </button>
  );
}

const MAX_USES = 100;

type UsedByProps = {
  readonly active: Active;
  readonly section: SectionIndex | null;
  readonly byteOffset: number | null;
  readonly byteSize: number;
  /** Name of an extern, which the file does not define; not escaped. */
  readonly name?: string;
};

/** Shows links to the instructions and data that refer to a place or to a name. */
export function UsedBy({ active, section, byteOffset, byteSize, name }: UsedByProps) {
  const { model } = active;
  const uses =
    section !== null && byteOffset !== null
      ? usesOfPlace(model, section, byteOffset, byteSize)
      : name === undefined
        ? []
        : usesOfName(model, name);
  if (uses.length === 0) return null;
  return (
    <DetailSection title="Referred to by" aside={countOf(uses.length, 'relocation')}>
      <ul className={styles.uses}>
        {uses.slice(0, MAX_USES).map((use) => (
          <li key={use.reloc}>
            <UseLink model={model} use={use} />
          </li>
        ))}
        {uses.length > MAX_USES ? (
          <li className="small muted">and {uses.length - MAX_USES} more</li>
        ) : null}
      </ul>
    </DetailSection>
  );
}

function UseLink({ model, use }: { readonly model: ObjectModel; readonly use: Use }) {
  const { section, byteOffset, into, reloc, isCode } = use;
  const write = useWriteOffset();
  const at = `${drawnName(sectionName(model.sections, section))} + ${write(byteOffset)}`;
  const insnPlace = isCode ? insnPlaceText(model, use) : null;
  const go = () => {
    const insnOff = byteOffset - (byteOffset % 8);
    if (isCode) select({ kind: 'insn', section, insnOff }, 'code');
    else select({ kind: 'relocation', reloc });
  };
  return (
    <>
      <button
        type="button"
        className={styles.link}
        title={`${relocationMeaning(model, reloc).typeName} at ${at}`}
        onClick={go}
      >
        {insnPlace === null ? at : drawnName(insnPlace)}
      </button>
      {into === null || into === 0 ? null : (
        <span className="small muted">to byte {write(into)}</span>
      )}
    </>
  );
}

/** Relocation that makes an instruction or data refer to a place or to a name. */
type Use = {
  readonly reloc: RelocIndex;
  /** Section of the instruction or data that refers. */
  readonly section: SectionIndex;
  readonly byteOffset: number;
  readonly isCode: boolean;
  /** Offset of the target from the start of that place, in bytes; null for a name. */
  readonly into: number | null;
};

type Uses = {
  readonly bySection: ReadonlyMap<number, readonly (Use & { readonly at: number })[]>;
  readonly byName: ReadonlyMap<string, readonly Use[]>;
};

const usesOf = new Derived(function* (model: ObjectModel): Steps<Uses> {
  const bySection = new Map<number, (Use & { at: number })[]>();
  const byName = new Map<string, Use[]>();
  const { relocations, symbols } = model;
  for (let row = 0; isBpf(model) && row < relocations.count; row++) {
    if (isRest(row)) yield;
    const site = relocations.targetSection[row] ?? -1;
    const role = sectionRole(model, site);
    if (role !== 'program' && role !== 'data') continue;
    const reloc = relocIndex(row);
    const section = sectionIndex(site);
    const byteOffset = relocationOffset(model, reloc);
    const use = { reloc, section, byteOffset, isCode: isCode(model.sections, section), into: null };
    const { target } = relocationMeaning(model, reloc);
    if (target === null) continue;
    if (target.section === null) {
      addTo(byName, symbolName(symbols, symbolIndex(relocations.symbol[row] ?? 0)), use);
    } else {
      addTo(bySection, target.section, { ...use, at: Number(target.offset) });
    }
  }
  return { bySection, byName };
});

/** Returns what refers to `byteSize` bytes at an offset of a section, in the order of the file. */
export function usesOfPlace(
  model: ObjectModel,
  section: SectionIndex,
  byteOffset: number,
  byteSize: number,
): Use[] {
  const all = usesOf.of(model).bySection.get(section) ?? [];
  return all
    .filter(({ at }) => at >= byteOffset && at < byteOffset + Math.max(1, byteSize))
    .map(({ at, ...use }) => ({ ...use, into: at - byteOffset }));
}

/** Returns what refers to a name that the file does not define. */
export function usesOfName(model: ObjectModel, name: string): readonly Use[] {
  return usesOf.of(model).byName.get(name) ?? [];
}

/** Returns `count_packet + 3`: function (not escaped) and instruction; null outside of code. */
export function insnPlaceText(model: ObjectModel, { section, byteOffset }: Use): string | null {
  const func = functionAt(model, section, byteOffset);
  if (func === null) return null;
  const insns = Math.floor((byteOffset - func.start) / 8);
  return insns === 0 ? func.name : `${func.name} + ${insns}`;
}
