import { CircleCheck, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import type { FileCheck } from '#analysis/check/file-check.ts';
import { BLOB_RULES, META_RULES, REFERENCE_RULES } from '#analysis/check/kernel-rules.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Active } from '#store/hooks.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './CheckPanel.module.css';
import { FixupsPane } from './FixupsPane.tsx';
import { Pipeline } from './Pipeline.tsx';
import { ProblemsPane } from './ProblemsPane.tsx';
import { finalStage, firstStage, isForeign, type StageName, shownProblems } from './stages.ts';
import { VerdictCard } from './VerdictCard.tsx';
import { kernelHeadline, libbpfHeadline } from './verdict-text.ts';

type CheckPanelProps = { readonly active: Active; readonly check: FileCheck };

/** Both verdicts, the stages from the compiler to the kernel, and the list of the chosen stage. */
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
      <div className="shrink-y">
        <StageList active={active} check={check} name={stage} />
      </div>
    </div>
  );
}

function StageList({ active, check, name }: CheckPanelProps & { readonly name: StageName }) {
  const { stored, loaded } = check;
  if (name === 'rewrites' && loaded !== null) {
    return <FixupsPane active={active} check={check} stage={loaded} />;
  }
  const stage = name === 'loaded' && loaded !== null ? loaded : stored;
  const isStopped = name === 'loaded' && loaded !== null && loaded.stopped !== null;
  return isStopped || shownProblems(stage).length === 0 ? (
    <NoProblems check={check} name={name} typeCount={active.model.types?.count ?? 0} />
  ) : (
    <ProblemsPane key={name} active={active} check={check} stage={stage} />
  );
}

/** Conditions of the verdicts: foreign byte order, missing base. */
function CheckNotes({ check, model }: { readonly check: FileCheck; readonly model: ObjectModel }) {
  const { kernel } = finalStage(check).verdict;
  return (
    <>
      {isForeign(finalStage(check)) && kernel.verdict === 'refused' ? (
        <Callout severity="note" title="Checked as on a big-endian machine">
          A kernel reads BTF of its own <Term id="endianness">byte order</Term> only. A
          little-endian kernel rejects every blob like this: {kernel.errno},{' '}
          <code>{kernel.word}</code>.
        </Callout>
      ) : null}
      {model.types?.split === true && !check.onBase ? (
        <Callout severity="warning" title="Split BTF, checked without its base">
          This is the verdict on loading it alone. Select its <Term id="base-btf">base</Term> to
          check it as module BTF.
        </Callout>
      ) : null}
    </>
  );
}

type NoProblemsProps = {
  readonly check: FileCheck;
  readonly name: StageName;
  readonly typeCount: number;
};

/** States that there are no problems, and what was checked. */
function NoProblems({ check, name, typeCount }: NoProblemsProps) {
  const stopped = name === 'loaded' ? (check.loaded?.stopped ?? null) : null;
  if (stopped !== null) {
    return (
      <EmptyState
        icon={<CircleSlash size={28} aria-hidden />}
        title="Nothing to check"
        text={`libbpf aborts before it loads the BTF. ${drawnName(stopped)}`}
      />
    );
  }
  return (
    <EmptyState
      icon={<CircleCheck size={28} aria-hidden className={styles.ok} />}
      title={name === 'loaded' ? 'No problems left' : 'No problems'}
      text={coverageText(typeCount, check.onBase)}
    />
  );
}

/** What was checked to find nothing, in words. */

const RULES = [BLOB_RULES, META_RULES, REFERENCE_RULES].reduce(
  (sum, rules) => sum + Object.keys(rules).length,
  0,
);

/** `types` were checked; on a base the kernel has fewer rules, since it does not resolve the types of a module. */
export function coverageText(types: number, onBase: boolean): string {
  const rules = onBase
    ? 'the rules of Linux 6.18 for the BTF of a module'
    : `the ${countOf(RULES, 'rule')} of Linux 6.18 for BTF`;
  return `${countOf(types, 'type')}, the strings and the header were checked against ${rules}, and against the checks of libbpf 1.8.`;
}
