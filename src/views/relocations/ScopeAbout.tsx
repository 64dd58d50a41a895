import type { RelocationSection } from '#analysis/relocations/sections.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './ScopeAbout.module.css';

/** What the listed sections patch and what for: one line for each purpose. */
export function ScopeAbout({ sections }: { readonly sections: readonly RelocationSection[] }) {
  const [only] = sections;
  if (only === undefined) return null;
  if (sections.length === 1) {
    return (
      <p className={styles.about}>
        <Name text={only.name} otherwise={`section ${only.index}`} />
        {only.targetName === '' || only.targetName === only.name ? null : (
          <>
            {' patches '}
            <Name text={only.targetName} />
          </>
        )}
        {`: ${countOf(only.count, 'entry', 'entries')}. ${only.about}`}
      </p>
    );
  }
  const isOnePurpose = sections.every(({ belongsTo }) => belongsTo === only.belongsTo);
  // Several purposes at once are told best one by one, when one is chosen.
  return (
    <p className={styles.about}>
      {`${countOf(sections.length, 'section')} of relocations. `}
      {isOnePurpose ? only.about : 'Choose one to read what it is for.'}
    </p>
  );
}
