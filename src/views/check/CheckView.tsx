import {
  ChevronRight,
  CircleCheck,
  CircleSlash,
  CircleX,
  PencilLine,
  ShieldQuestion,
  SquareTerminal,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { mapFaultText } from '#analysis/kernel/map-rules.ts';
import { BLOB_RULES, FIELD_RULES, META_RULES, REFERENCE_RULES } from '#analysis/kernel/rules.ts';
import type { CheckStage, FileCheck, LoadedStage } from '#analysis/libbpf/file-check.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import { btfOf, isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { TypeTable } from '#model/type-table.ts';
import { showView } from '#store/address/navigation.ts';
import { type Active, useActive, useAnswer } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import type { StatusTone } from '#ui/tone.ts';
import { ProgramProblems, useProgramProblems } from '#views/parts/core/LoadSummary.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { CallsPane } from './CallsPane.tsx';
import styles from './CheckView.module.css';
import { CheckedTypeLink } from './Detail.tsx';
import { FixupsPane } from './FixupsPane.tsx';
import { OriginPane, SCROLLED_BY_KEYS } from './OriginPane.tsx';
import { ProblemsPane } from './ProblemsPane.tsx';
import {
  finalStage,
  firstStage,
  isForeign,
  isSameVerdict,
  kernelHeadline,
  libbpfHeadline,
  nextText,
  type StageName,
  shortVerdict,
  shownProblems,
} from './verdicts.ts';

/** Shows the verdicts of the kernel and of libbpf on the BTF, and the problems of the BTF. */
export function CheckView() {
  const active = useActive();
  return active === null ? null : <Checked key={active.id} active={active} />;
}

function Checked({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const answer = useAnswer(id, 'check', null);
  if (answer.step === 'failed') {
    return (
      <div className={styles.failed}>
        <Callout severity="error" title="The BTF could not be checked">
          {drawnName(answer.issue.message)}
        </Callout>
      </div>
    );
  }
  if (answer.step === 'waiting') {
    return <p className={styles.waiting}>Checking {countOf(model.types?.count ?? 0, 'type')}…</p>;
  }
  if (answer.value === null) {
    return <EmptyState icon={<ShieldQuestion size={28} aria-hidden />} {...noCheck(model)} />;
  }
  return <CheckPanel active={active} check={answer.value} />;
}

const BTF_SOURCE =
  'clang -g --target=bpf writes BTF into a BPF object, and CONFIG_DEBUG_INFO_BTF into a kernel.';

/** Returns the title and text to show if the file has no BTF to check. */
export function noCheck(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (hasBtfSection(model)) {
    return {
      title: 'The bytes of .BTF cannot be read',
      text: 'The section has no readable bytes. Issues lists what is wrong with it.',
    };
  }
  return {
    title: isBpf(model) ? 'This object has no BTF to check' : 'This file has no BTF to check',
    text: BTF_SOURCE,
  };
}

function hasBtfSection({ sections }: ObjectModel): boolean {
  for (let i = 1; i < sections.count; i++) {
    if (sectionName(sections, sectionIndex(i)) === '.BTF') return true;
  }
  return false;
}

type CheckPanelProps = { readonly active: Active; readonly check: FileCheck };

/** Shows both verdicts, the stages from the compiler to the kernel, and one stage in detail. */
export function CheckPanel({ active, check }: CheckPanelProps) {
  const [stage, setStage] = useState<StageName>(() => firstStage(check, active.selection));
  const hasOrigin = !isBpf(active.model);
  const isEmpty = hasNoProblems(check, stage);
  const [part, setPart] = useState<KernelPart>('problems');
  return (
    <section className={styles.panel} aria-label="Check" {...SCROLLED_BY_KEYS}>
      <div className={styles.summary}>
        <ProgramProblems object={active.id} />
        <div className={styles.verdicts}>
          {(['kernel', 'libbpf'] as const).map((who) => (
            <VerdictCard key={who} who={who} check={check} types={btfOf(active.model)} />
          ))}
        </div>
        <CheckNotes check={check} model={active.model} />
        {hasOrigin ? <FindingsNote /> : null}
        {check.loaded === null ? null : (
          <Pipeline stored={check.stored} loaded={check.loaded} value={stage} onChange={setStage} />
        )}
        {hasOrigin && !isEmpty ? (
          <Segmented
            label="Parts of the check"
            options={KERNEL_PARTS}
            value={part}
            onChange={setPart}
          />
        ) : null}
      </div>
      {hasOrigin && (isEmpty || part === 'origin') ? (
        <div data-empty="">
          <OriginPane active={active} />
          {isEmpty ? <StageList active={active} check={check} name={stage} /> : null}
        </div>
      ) : (
        <div className="shrink-y" data-empty={isEmpty ? '' : undefined}>
          <StageList active={active} check={check} name={stage} />
        </div>
      )}
    </section>
  );
}

/** Parts of the check of a kernel or module. */
type KernelPart = 'problems' | 'origin';

const KERNEL_PARTS: Readonly<Record<KernelPart, string>> = {
  problems: 'Problems',
  origin: 'Encoder and readers',
};

function useSeriousFindings(): readonly Issue[] {
  const findings = usePaneFile()?.findings ?? [];
  return findings.filter(({ severity }) => severity !== 'note');
}

/** Shows how many findings of the lint are serious, with a link to them. */
function FindingsNote() {
  const serious = useSeriousFindings();
  const [first] = serious;
  if (first === undefined) return null;
  return (
    <Callout
      severity="warning"
      title={`${countOf(serious.length, 'finding')} in the types`}
      actions={
        <Button size="small" onClick={() => showView('issues')}>
          Show issues
        </Button>
      }
    >
      {drawnName(first.message)}
    </Callout>
  );
}

function StageList({ active, check, name }: CheckPanelProps & { readonly name: StageName }) {
  const { loaded } = check;
  if (name === 'rewrites' && loaded !== null) {
    return <FixupsPane active={active} check={check} stage={loaded} />;
  }
  if (name === 'calls') return <CallsPane active={active} />;
  return hasNoProblems(check, name) ? (
    <NoProblems
      check={check}
      name={name}
      typeCount={active.model.types?.count ?? 0}
      object={active.id}
    />
  ) : (
    <ProblemsPane key={name} active={active} check={check} stage={stageOf(check, name)} />
  );
}

function stageOf({ stored, loaded }: FileCheck, name: StageName): CheckStage {
  return name === 'loaded' && loaded !== null ? loaded : stored;
}

/** Returns true if the stage could list problems but has none. */
function hasNoProblems(check: FileCheck, name: StageName): boolean {
  if (name === 'calls' || (name === 'rewrites' && check.loaded !== null)) return false;
  const isStopped = name === 'loaded' && check.loaded !== null && check.loaded.stopped !== null;
  return isStopped || shownProblems(stageOf(check, name)).length === 0;
}

/** Shows notes on the verdict: a newer kernel's, faults of maps, a foreign machine, no base. */
function CheckNotes({ check, model }: { readonly check: FileCheck; readonly model: ObjectModel }) {
  const { kernel, native, machine, next } = finalStage(check).verdict;
  return (
    <>
      {isSameVerdict(native, next) ? null : (
        <Callout severity="note" title={nextText(next)}>
          This is bpf-next of September 2026, which has the location kinds and the layout section.
        </Callout>
      )}
      {check.loaded?.maps.map((fault) => (
        <Callout key={fault.map} severity="warning" title={drawnName(`Map ${fault.map}`)}>
          {drawnName(mapFaultText(fault))}
        </Callout>
      ))}
      {isForeign(finalStage(check)) && kernel.verdict === 'refused' ? (
        <Callout severity="note" title={`Checked as on a ${machine} machine`}>
          {machine.startsWith('32-bit') ? (
            'Pointers of this BTF have 4 bytes. A 64-bit kernel rejects it: '
          ) : (
            <>
              A kernel reads BTF of its own <Term id="endianness">byte order</Term> only. A
              little-endian kernel rejects every blob like this:{' '}
            </>
          )}
          {kernel.errno}, <code>{kernel.word}</code>.
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
  readonly object: FileId;
};

/** Shows that there are no problems, and what was checked. */
function NoProblems({ check, name, typeCount, object }: NoProblemsProps) {
  const isLoading = useProgramProblems(object).length === 0;
  const hasFindings = useSeriousFindings().length > 0;
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
      // Green would say too much if a program does not load.
      icon={<CircleCheck size={28} aria-hidden className={isLoading ? styles.ok : undefined} />}
      title={
        hasFindings
          ? 'No rule is broken, see the findings'
          : `No problems${name === 'loaded' ? ' left' : ''} in the BTF`
      }
      text={coverageText(typeCount, check.onBase)}
    />
  );
}

const RULES = [BLOB_RULES, META_RULES, REFERENCE_RULES, FIELD_RULES].reduce(
  (sum, rules) => sum + Object.keys(rules).length,
  0,
);

/** Returns a description of what was checked. The kernel has fewer rules for module BTF. */
export function coverageText(types: number, onBase: boolean): string {
  const rules = onBase
    ? 'the rules of Linux 6.18 for the BTF of a module'
    : `the ${countOf(RULES, 'rule')} of Linux 6.18 for BTF`;
  return `${countOf(types, 'type')}, the strings and the header were checked against ${rules}, and against the checks of libbpf 1.8. func_info and line_info are checked under Issues.`;
}

const FACES = {
  ok: { tone: 'ok', Icon: CircleCheck },
  refused: { tone: 'danger', Icon: CircleX },
  unseen: { tone: 'warning', Icon: CircleSlash },
} as const;

const JUDGES = {
  kernel: { headline: kernelHeadline, log: 'Kernel log', iconSize: 22 },
  libbpf: { headline: libbpfHeadline, log: 'libbpf log', iconSize: 18 },
} as const;

type VerdictCardProps = {
  readonly who: keyof typeof JUDGES;
  readonly check: FileCheck;
  readonly types: TypeTable | null;
};

/** Shows the verdict of the kernel or of libbpf. A rejection has a log line and a type. */
function VerdictCard({ who, check, types }: VerdictCardProps) {
  const { headline, log, iconSize } = JUDGES[who];
  const { outcome, title, text, refusal } = headline(check);
  const { tone, Icon } = FACES[outcome];
  return (
    <section className={styles.card} data-tone={tone} data-who={who}>
      <Icon size={iconSize} aria-hidden className={styles.icon} />
      <div className="grid gap-1 grow at-top">
        <h2 className={styles.title}>{title}</h2>
        {refusal === null ? null : (
          <p className="row wrap gap-1-2">
            <Badge text={refusal.errno} tone="danger" />
            {refusal.line === '' ? null : (
              <code className="shrink small mono-code medium break" title={log}>
                {drawnName(refusal.line)}
              </code>
            )}
            {refusal.typeId === null ? null : (
              <CheckedTypeLink check={check} types={types} id={refusal.typeId} />
            )}
          </p>
        )}
        {text === '' ? null : <p className="soft break pretty">{drawnName(text)}</p>}
      </div>
    </section>
  );
}

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

/** Shows the stages from the compiler to the kernel as buttons that select a stage. */
function Pipeline({ stored, loaded, value, onChange }: PipelineProps) {
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
            <span aria-hidden className={styles.pipelineIcon}>
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
    {
      name: 'calls',
      title: 'System calls',
      outcome: 'with BTF',
      tone: 'info',
      icon: <SquareTerminal size={16} />,
    },
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
