import type { SourceLine } from '#analysis/code/source-lines.ts';
import { drawnName } from '#bytes/text.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import styles from './layers.module.css';

/** The line of the source that an instruction comes from. */
export function SourceLayer({ line }: { readonly line: SourceLine & { readonly exact: boolean } }) {
  const { file, text, column, exact } = line;
  return (
    <DetailSection title="Source" aside={exact ? undefined : 'the line of an instruction before'}>
      <p className={styles.place}>
        {drawnName(file)}:{line.line}
        {column === 0 ? '' : `:${column}`}
      </p>
      {text === '' ? (
        <p className={styles.quiet}>The compiler kept no text of this line.</p>
      ) : (
        <p className={styles.source}>{drawnName(text.trim())}</p>
      )}
    </DetailSection>
  );
}
