import { useState } from 'react';
import type { FileCheck } from '#analysis/check/file-check.ts';
import type { Active } from '#store/hooks.ts';
import { CheckNotes } from './CheckNotes.tsx';
import styles from './CheckPanel.module.css';
import { NoProblems } from './NoProblems.tsx';
import { Pipeline } from './Pipeline.tsx';
import { ProblemsPane } from './ProblemsPane.tsx';
import { RewritesPane } from './RewritesPane.tsx';
import { firstStage, type StageName, shownProblems } from './stages.ts';
import { VerdictCard } from './VerdictCard.tsx';
import { kernelHeadline, libbpfHeadline } from './verdict-words.ts';

type CheckPanelProps = { readonly active: Active; readonly check: FileCheck };

/** Both verdicts, the way from the compiler to the kernel, and what there is to list at the chosen step of it. */
export function CheckPanel({ active, check }: CheckPanelProps) {
  const [stage, setStage] = useState<StageName>(() => firstStage(check, active.selection));
  return (
    <div className={styles.panel}>
      <div className={styles.summary}>
        <div className={styles.verdicts}>
          <VerdictCard
            who="kernel"
            headline={kernelHeadline(check)}
            check={check}
            types={active.model.types}
          />
          <VerdictCard
            who="libbpf"
            headline={libbpfHeadline(check)}
            check={check}
            types={active.model.types}
          />
        </div>
        <CheckNotes check={check} model={active.model} />
        {check.loaded === null ? null : (
          <Pipeline stored={check.stored} loaded={check.loaded} value={stage} onChange={setStage} />
        )}
      </div>
      <div className={styles.list}>
        <StageList active={active} check={check} name={stage} />
      </div>
    </div>
  );
}

function StageList({ active, check, name }: CheckPanelProps & { readonly name: StageName }) {
  const { stored, loaded } = check;
  if (name === 'rewrites' && loaded !== null) {
    return <RewritesPane active={active} check={check} stage={loaded} />;
  }
  const stage = name === 'loaded' && loaded !== null ? loaded : stored;
  const isStopped = name === 'loaded' && loaded !== null && loaded.stopped !== null;
  return isStopped || shownProblems(stage).length === 0 ? (
    <NoProblems check={check} name={name} typeCount={active.model.types?.count ?? 0} />
  ) : (
    <ProblemsPane key={name} active={active} check={check} stage={stage} />
  );
}
