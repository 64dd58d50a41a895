import type { Rewriting } from '#analysis/objects/relocation-facts.ts';
import { alphaInsnText } from '#print/alpha-insn.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './RewritingTable.module.css';

/** What a linker may make of the instructions: before and after. */
export function RewritingTable({ rewriting }: { readonly rewriting: Rewriting }) {
  const { words, insns } = rewriting;
  return (
    <section className={styles.rewriting} aria-labelledby="rewriting-title">
      <h3 id="rewriting-title">Linker relaxation</h3>
      <p className="soft pretty">{words}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {insns.map(({ address, before, after }) => (
            <tr key={address}>
              <th scope="row">{hexText(address)}</th>
              <td>{insnText(before, address)}</td>
              <td data-changed={after !== null}>
                {after === null ? 'unchanged' : insnText(after, address)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function insnText(word: number, address: bigint): string {
  return alphaInsnText(word, address).replace('\t', ' ').trimEnd();
}
