import type { ReactNode } from 'react';
import { worstOf } from '#analysis/libbpf/outcome.ts';
import { shortKernelNames } from '#analysis/load/kernel-names.ts';
import { listed, loadSentence } from '#analysis/load/load-sentence.ts';
import { type ProgramProblem, programProblems } from '#analysis/load/program-problems.ts';
import { drawnName } from '#bytes/text.ts';
import { showView } from '#store/address/navigation.ts';
import { loadCellState } from '#store/kernels/core-view.ts';
import { useJudgedKernels } from '#store/kernels/judged-kernels.ts';
import type { FileId } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LoadSummary.module.css';
import { OutcomeIcon } from './StateMark.tsx';

type LoadSummaryProps = { readonly object: FileId };

/** Shows in one sentence on which open kernels the object loads, with a link to *Load*. */
export function LoadSummary({ object }: LoadSummaryProps) {
  const kernels = useJudgedKernels(object);
  const known = kernels.flatMap(({ verdict }) => (verdict === null ? [] : [verdict.outcome]));
  if (kernels.length === 0) return null;
  return (
    <SummaryLine link="Show in Load" view="load">
      {known.length === 0 ? null : <OutcomeIcon outcome={worstOf(known)} size={16} />}
      <span className="medium break">{drawnName(loadSentence(kernels))}</span>
    </SummaryLine>
  );
}

type SummaryLineProps = {
  /** Text of the link, and the view that it shows. */
  readonly link: string;
  readonly view: ViewName;
  readonly children: ReactNode;
};

/** Shows an answer in one sentence, with a link to its view. */
export function SummaryLine({ link, view, children }: SummaryLineProps) {
  return (
    <p className={styles.summary}>
      {children}
      <Button size="small" variant="quiet" onClick={() => showView(view)}>
        {link}
      </Button>
    </p>
  );
}

/** Returns the programs of the object with problems on open kernels. React hook. */
export function useProgramProblems(object: FileId): readonly ProgramProblem[] {
  return programProblems(useJudgedKernels(object));
}

/** Number of programs that a message lists. */
const MAX_LISTED = 12;

/** Shows the programs that an open kernel refuses, or for which that is undecided. */
export function ProgramProblems({ object }: LoadSummaryProps) {
  const kernels = useJudgedKernels(object);
  const problems = programProblems(kernels);
  if (problems.length === 0) return null;
  const names = kernels.map(({ name }) => name);
  const short = shortKernelNames(names);
  const shortNames = new Map(names.map((name, at) => [name, short[at] ?? name]));
  const more = problems.length - MAX_LISTED;
  const isRefused = problems.some(({ refused }) => refused.length > 0);
  return (
    <Callout severity={isRefused ? 'error' : 'warning'} title={problemsTitle(problems)}>
      <ul className="grid gap-hair">
        {problems.slice(0, MAX_LISTED).map(({ program, refused, depends }) => (
          <li key={program} className={styles.problem}>
            <Button
              size="small"
              variant="quiet"
              onClick={() => showCell(object, program, [...refused, ...depends][0] ?? null)}
            >
              <span className="mono bold">
                {program === null ? 'Whole object' : drawnName(program)}
              </span>
            </Button>
            <span className="soft break">
              {[
                refused.length === 0 ? '' : `refused on ${namesText(refused, shortNames)}`,
                depends.length === 0 ? '' : `undecided on ${namesText(depends, shortNames)}`,
              ]
                .filter((text) => text !== '')
                .join('; ')}
            </span>
          </li>
        ))}
        {more > 0 ? <li className="soft">and {countOf(more, 'more program')}</li> : null}
      </ul>
    </Callout>
  );
}

function namesText(names: readonly string[], shortNames: ReadonlyMap<string, string>): string {
  return listed(names.map((name) => drawnName(shortNames.get(name) ?? name)));
}

/** Returns a title such as `2 programs are refused and 1 is undecided on open kernels`. */
function problemsTitle(problems: readonly ProgramProblem[]): string {
  const refused = problems.filter((problem) => problem.refused.length > 0).length;
  const depends = problems.length - refused;
  const be = (count: number) => (count === 1 ? 'is' : 'are');
  const parts = [
    refused === 0 ? '' : `${countOf(refused, 'program')} ${be(refused)} refused`,
    depends === 0
      ? ''
      : `${refused === 0 ? countOf(depends, 'program') : depends} ${be(depends)} undecided`,
  ];
  return `${parts.filter((text) => text !== '').join(' and ')} on open kernels`;
}

function showCell(object: FileId, program: string | null, kernel: string | null): void {
  loadCellState.set({ program, kernel }, object);
  showView('load');
}
