import type {
  RelocationDetail,
  RelocationMeaning,
  Variant,
} from '#analysis/objects/relocation-facts.ts';
import { signedHex } from '#bytes/text.ts';
import { Offset } from '#views/parts/Offset.tsx';
import styles from './ComputedValue.module.css';

/** Shows the value that each specification computes. The correct value is marked. */
export function Variants({ detail }: { readonly detail: RelocationDetail }) {
  const { variants, reason, restriction, problem } = detail;
  return (
    <div className="grid gap-3">
      {variants.map((variant) => (
        <VariantBlock key={variant.by} variant={variant} isAlone={variants.length === 1} />
      ))}
      {variants.length === 0 ? (
        <p className={styles.words}>The entry alone computes no value.</p>
      ) : null}
      {reason === null ? null : <p className={styles.words}>{reason}</p>}
      {restriction === null ? null : <p className={styles.rule}>{restriction}</p>}
      {problem === null ? null : (
        <p className={styles.problem} data-tone="warning">
          This entry {problem}.
        </p>
      )}
    </div>
  );
}

type VariantBlockProps = {
  readonly variant: Variant;
  readonly isAlone: boolean;
};

function VariantBlock({ variant, isAlone }: VariantBlockProps) {
  const { by, formula, numbers, value, isMeant } = variant;
  return (
    <div className={styles.variant}>
      {isAlone ? null : (
        <p className="small soft medium">
          {by}
          {isMeant ? <span className={styles.right}> correct</span> : null}
        </p>
      )}
      {formula === '' ? null : <p className={styles.formula}>{formula}</p>}
      {numbers === '' ? null : (
        <p className={styles.numbers}>
          <Offset text={numbers} />
        </p>
      )}
      {value === '' ? null : <p className={styles.value}>{value}</p>}
    </div>
  );
}

type FormulaStepsProps = {
  readonly meaning: RelocationMeaning;
  /** True for a REL entry: the addend A is the value stored at the patched place. */
  readonly isImplicit: boolean;
};

/** Shows the formula of an entry, the values of S and A in it, and the result. */
export function FormulaSteps({ meaning, isImplicit }: FormulaStepsProps) {
  const { formula, numbers, symbolValue, addend } = meaning;
  return (
    <div className="grid gap-1">
      <p className="small mono soft">
        {formula === '' ? 'No known formula for this type' : formula}
      </p>
      {numbers === '' ? null : <p className="mono break size-14">{numbers}</p>}
      <dl className={styles.letters}>
        <div>
          <dt>S</dt>
          <dd>
            <span className="mono strong">
              {symbolValue === null ? 'none' : <Offset text={signedHex(symbolValue)} />}
            </span>{' '}
            st_value of the symbol
          </dd>
        </div>
        <div>
          <dt>A</dt>
          <dd>
            <span className="mono strong">
              {addend === null ? '?' : <Offset text={signedHex(addend)} />}
            </span>{' '}
            {addendSource(formula, addend, isImplicit)}
          </dd>
        </div>
      </dl>
    </div>
  );
}

/**
 * Returns the source of the addend A. For a call, A is computed from the imm, which stores the
 * formula's value for S = 0. Source: "BPF LLVM Relocations", "Examples".
 */
function addendSource(formula: string, addend: bigint | null, isImplicit: boolean): string {
  if (addend === null) return 'in the patched bytes (REL)';
  if (!isImplicit) return 'r_addend of the entry (RELA)';
  if (formula === 'S + A') return 'the value in the file (REL)';
  const stored = addend / 8n - 1n;
  return `from imm, which holds ${stored} (REL): (${stored} + 1) × 8`;
}
