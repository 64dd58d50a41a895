import type { Endian } from '#bytes/span.ts';
import type { Insn } from '#formats/bpf/insn.ts';
import { insnText } from '#print/insn.ts';
import styles from './InsnText.module.css';
import { insnTokens } from './insn-tokens.ts';

/** An instruction as llvm-objdump writes it, its registers and numbers coloured. */
export function InsnText({ insn, endian }: { readonly insn: Insn; readonly endian: Endian }) {
  // A tab stands in `ld_pseudo` only.
  const tokens = insnTokens(insnText(insn, endian).replace('\t', ' '));
  return (
    <code className={styles.text}>
      {tokens.map(({ kind, text, start }) => (
        <span key={start} data-part={kind}>
          {text}
        </span>
      ))}
    </code>
  );
}
