import { CircleCheck, CircleSlash } from 'lucide-react';
import type { FileCheck } from '#analysis/check/file-check.ts';
import { drawnName } from '#bytes/text.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { coverageText } from './check-coverage.ts';
import styles from './NoProblems.module.css';
import type { StageName } from './stages.ts';

type NoProblemsProps = {
  readonly check: FileCheck;
  readonly name: StageName;
  readonly typeCount: number;
};

/** Says that nothing is wrong, and what was looked at to say so. */
export function NoProblems({ check, name, typeCount }: NoProblemsProps) {
  const stopped = name === 'loaded' ? (check.loaded?.stopped ?? null) : null;
  if (stopped !== null) {
    return (
      <EmptyState
        icon={<CircleSlash size={28} aria-hidden />}
        title="There is nothing to judge"
        text={`libbpf stops before the kernel is asked. ${drawnName(stopped)}`}
      />
    );
  }
  return (
    <EmptyState
      icon={<CircleCheck size={28} aria-hidden className={styles.ok} />}
      title={name === 'loaded' ? 'No problem is left' : 'No problems'}
      text={coverageText(typeCount, check.onBase)}
    />
  );
}
