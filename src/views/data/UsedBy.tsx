import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import styles from './detail.module.css';
import { insnPlaceText, type Use, usesOfName, usesOfPlace } from './used-by.ts';

const MOST = 100;

type UsedByProps = {
  readonly active: Active;
  readonly section: SectionIndex | null;
  readonly byteOffset: number | null;
  readonly byteSize: number;
  /** For what the file does not define. Raw text. */
  readonly name?: string;
};

/** Links to the instructions and the data that refer to it. */
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
        {uses.slice(0, MOST).map((use) => (
          <li key={use.reloc}>
            <UseLink model={model} use={use} />
          </li>
        ))}
        {uses.length > MOST ? <li className={styles.note}>and {uses.length - MOST} more</li> : null}
      </ul>
    </DetailSection>
  );
}

function UseLink({ model, use }: { readonly model: ObjectModel; readonly use: Use }) {
  const { section, byteOffset, into, reloc, isCode } = use;
  const at = `${drawnName(sectionName(model.sections, section))} + ${hexText(byteOffset)}`;
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
        <span className={styles.note}>to byte {hexText(into)}</span>
      )}
    </>
  );
}
