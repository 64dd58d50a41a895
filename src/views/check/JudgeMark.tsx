import { CircleX } from 'lucide-react';
import type { Problem } from '#analysis/check/verdict.ts';
import styles from './JudgeMark.module.css';

const FACES = {
  kernel: { tone: 'danger', words: 'Kernel' },
  libbpf: { tone: 'warning', words: 'libbpf' },
  both: { tone: 'danger', words: 'Kernel and libbpf' },
} as const;

/** Who refuses it. */
export function JudgeMark({ by }: { readonly by: Problem['by'] }) {
  const { tone, words } = FACES[by];
  return (
    <span className={styles.mark} data-tone={tone}>
      <CircleX size={13} aria-hidden />
      {words}
    </span>
  );
}
