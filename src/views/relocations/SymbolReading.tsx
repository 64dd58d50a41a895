import type { RelocationMeaning } from '#analysis/relocations/meaning.ts';
import { Name } from '#views/parts/Name.tsx';
import { symbolReading } from '#views/parts/relocation-look.ts';
import styles from './SymbolReading.module.css';

/** The symbol as the entry uses it: `g1`, or `sec + 0x8 → l1` for what a section symbol stands for. */
export function SymbolReading({ meaning }: { readonly meaning: RelocationMeaning }) {
  const { symbol, plus, target } = symbolReading(meaning);
  return (
    <>
      <Name
        text={symbol}
        otherwise={meaning.known && meaning.addend !== null ? '(no symbol)' : ''}
      />
      {plus === '' ? null : <span className={styles.plus}> {plus}</span>}
      {target === '' ? null : (
        <>
          <span className={styles.arrow}> → </span>
          <Name text={target} />
        </>
      )}
    </>
  );
}
