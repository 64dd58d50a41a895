import type { RelocationMeaning } from '#analysis/relocations/meaning.ts';
import { signedHex } from '#bytes/signed-hex.ts';
import styles from './FormulaSteps.module.css';

type FormulaStepsProps = {
  readonly meaning: RelocationMeaning;
  /** REL: A is what the site holds, and is in no entry. */
  readonly isImplicit: boolean;
};

/** The formula, what its letters are here, and what comes out. */
export function FormulaSteps({ meaning, isImplicit }: FormulaStepsProps) {
  const { formula, numbers, symbolValue, addend } = meaning;
  return (
    <div className={styles.steps}>
      <p className={styles.formula}>
        {formula === '' ? 'No formula is known for this type' : formula}
      </p>
      {numbers === '' ? null : <p className={styles.numbers}>{numbers}</p>}
      <dl className={styles.letters}>
        <div>
          <dt>S</dt>
          <dd>
            <span className={styles.value}>
              {symbolValue === null ? 'none' : signedHex(symbolValue)}
            </span>{' '}
            st_value of the symbol
          </dd>
        </div>
        <div>
          <dt>A</dt>
          <dd>
            <span className={styles.value}>{addend === null ? '?' : signedHex(addend)}</span>{' '}
            {addendSource(formula, addend, isImplicit)}
          </dd>
        </div>
      </dl>
    </div>
  );
}

/**
 * Where A is from. A call's imm holds the formula's value for S = 0, so that A is
 * worked back from it. Source: "BPF LLVM Relocations", "Examples".
 */
function addendSource(formula: string, addend: bigint | null, isImplicit: boolean): string {
  if (addend === null) return 'where it is stored cannot be read';
  if (!isImplicit) return 'r_addend of the entry (RELA)';
  if (formula === 'S + A') return 'what the bytes hold now (REL)';
  const stored = addend / 8n - 1n;
  return `from imm, which holds ${stored} (REL): (${stored} + 1) × 8`;
}
