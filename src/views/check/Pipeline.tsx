import { ChevronRight, CircleCheck, CircleSlash, CircleX, PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckStage, LoadedStage } from '#analysis/check/file-check.ts';
import type { StatusTone } from '#ui/tone.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './Pipeline.module.css';
import { type StageName, shownProblems } from './stages.ts';
import { shortVerdict } from './verdict-text.ts';

type PipelineProps = {
  readonly stored: CheckStage;
  readonly loaded: LoadedStage;
  readonly value: StageName;
  readonly onChange: (stage: StageName) => void;
};

type Step = {
  readonly name: StageName;
  readonly title: string;
  readonly outcome: string;
  readonly tone: StatusTone;
  readonly icon: ReactNode;
};

/** From the compiler to the kernel, step by step; the one that is chosen is listed below. */
export function Pipeline({ stored, loaded, value, onChange }: PipelineProps) {
  return (
    <ol className={styles.steps} aria-label="From the compiler to the kernel">
      {stepsOf(stored, loaded).map(({ name, title, outcome, tone, icon }, index) => (
        <li key={name} className="row shrink">
          {index === 0 ? null : <ChevronRight size={16} aria-hidden className={styles.arrow} />}
          <button
            type="button"
            className={styles.button}
            data-tone={tone}
            aria-pressed={name === value}
            onClick={() => onChange(name)}
          >
            <span aria-hidden className={styles.icon}>
              {icon}
            </span>
            <span className="medium">{title}</span> <span className="soft">{outcome}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function stepsOf(stored: CheckStage, loaded: LoadedStage): readonly Step[] {
  const rewrites = loaded.rewrites.length + loaded.moreRewrites;
  const last: Step =
    loaded.stopped === null
      ? { ...verdictStep(loaded), name: 'loaded', title: 'As loaded' }
      : {
          name: 'loaded',
          title: 'Not loaded',
          outcome: 'libbpf aborts',
          tone: 'warning',
          icon: <CircleSlash size={16} />,
        };
  return [
    { ...verdictStep(stored), name: 'stored', title: 'As compiled' },
    {
      name: 'rewrites',
      title: rewrites === 0 ? 'No libbpf fix-ups' : 'libbpf applies',
      outcome: rewrites === 0 ? '' : countOf(rewrites, 'fix-up'),
      tone: 'info',
      icon: <PencilLine size={16} />,
    },
    last,
  ];
}

function verdictStep(stage: CheckStage): Pick<Step, 'outcome' | 'tone' | 'icon'> {
  const { native } = stage.verdict;
  const count = shownProblems(stage).length + stage.verdict.moreProblems;
  const problems = count === 0 ? '' : `, ${countOf(count, 'problem')}`;
  const isAccepted = native.verdict === 'ok';
  return {
    outcome: `${shortVerdict(native)}${problems}`,
    tone: isAccepted ? 'ok' : 'danger',
    icon: isAccepted ? <CircleCheck size={16} /> : <CircleX size={16} />,
  };
}
