import { type AnswerGroup, reasonsOf } from '#analysis/load/equal-answers.ts';
import type { Remedy, RemedyReason } from '#analysis/load/remedies.ts';
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { drawnName } from '#bytes/text.ts';
import { remediesOn } from '#store/kernels/load-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Code, CopyButton } from '#ui/CopyButton.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LoadDetail.module.css';
import type { TargetColumn } from './use-load.ts';

type FixesProps = {
  readonly object: FileId;
  /** Kernels on which the object or program fails for this reason. */
  readonly kernels: readonly FileId[];
  readonly reason: RemedyReason;
};

/** Shows changes of the source code that remove a reason, as a diff or as code to copy. */
export function Fixes({ object, kernels, reason }: FixesProps) {
  const { about, source } = reason;
  const key = about === undefined ? '' : JSON.stringify([object, kernels, about, source]);
  const remedies = useAsync<readonly Remedy[]>(key, async (put) =>
    put(about === undefined ? [] : await remediesOn(object, kernels, reason)),
  );
  if (remedies === null) return null;
  return remedies.map((remedy) => (
    <Disclosure
      key={remedy.code}
      title={`${REMEDY_WORDS[remedy.kind]}: ${drawnName(remedy.title)}`}
    >
      <p className="soft">{remedyNote(remedy)}</p>
      <Code text={drawnLines(remedy.diff ?? remedy.code)} label={REMEDY_WORDS[remedy.kind]} />
    </Disclosure>
  ));
}

type AllFixesProps = {
  readonly object: FileId;
  /** Answers whose reasons are shown. */
  readonly shown: readonly AnswerGroup<TargetColumn>[];
  /** Answers on all kernels. */
  readonly all: readonly AnswerGroup<TargetColumn>[];
};

/** Shows on how many kernels the program would load with the first fix of each shown reason. */
export function AllFixes({ object, shown, all }: AllFixesProps) {
  const key = JSON.stringify([
    object,
    [shown, all].map((answers) =>
      answers.map(({ kernels, answer }) => [
        kernels.map(({ id }) => id),
        reasonsOf(answer).map(reasonKey),
      ]),
    ),
  ]);
  const fixed = useAsync<AllFixed>(key, async (put) => put(await fixAll(object, shown, all)));
  if (fixed === null || fixed.loads <= fixed.loadsToday) return null;
  return (
    <p className={styles.fixed}>
      With these fixes: {fixed.loads} of {countOf(fixed.kernels, 'kernel')}
      <span className={styles.open}>
        <CopyButton text={drawnLines(fixed.text)} label="Copy all fixes" />
      </span>
    </p>
  );
}

type AllFixed = {
  readonly loadsToday: number;
  readonly loads: number;
  readonly kernels: number;
  /** The fixes as they are copied; names are raw text. */
  readonly text: string;
};

/** A reason with the kernels on which it is met; an absent `about` has no fix. */
type MetReason = { readonly reason: RemedyReason; readonly kernels: FileId[] };

const reasonKey = ({ about, source }: RemedyReason) => JSON.stringify([about ?? null, source]);

async function fixAll(
  object: FileId,
  shown: AllFixesProps['shown'],
  all: AllFixesProps['all'],
): Promise<AllFixed> {
  const wanted = new Set(shown.flatMap(({ answer }) => reasonsOf(answer).map(reasonKey)));
  const met = new Map<string, MetReason>();
  for (const { kernels, answer } of all) {
    for (const reason of reasonsOf(answer)) {
      const key = reasonKey(reason);
      if (!wanted.has(key)) continue;
      const known = getOrCreate(met, key, () => ({ reason, kernels: [] }));
      append(
        known.kernels,
        kernels.map(({ id }) => id),
      );
    }
  }
  const loading = all.filter(({ answer }) => answer.outcome === 'loads');
  /** Answers that all fixes found so far leave possible to repair. */
  let repairable = all.filter(
    ({ answer }) =>
      answer.outcome !== 'loads' && reasonsOf(answer).every((one) => met.has(reasonKey(one))),
  );
  const fixes = new Map<string, Remedy>();
  for (const [key, { reason, kernels }] of met) {
    // An object may have hundreds of reasons: ask for no fix that helps no kernel.
    if (repairable.length === 0) break;
    const found = await remediesOn(object, kernels, reason);
    const fix = found.find(({ kind, works }) => kind === 'fix' && works === kernels.length);
    if (fix !== undefined) fixes.set(key, fix);
    else {
      repairable = repairable.filter(
        ({ answer }) => !reasonsOf(answer).some((one) => reasonKey(one) === key),
      );
    }
  }
  const count = (groups: AllFixesProps['all']) =>
    groups.reduce((sum, { kernels }) => sum + kernels.length, 0);
  return {
    loadsToday: count(loading),
    loads: count(loading) + count(repairable),
    kernels: count(all),
    text: [...new Set([...fixes.values()].map(({ diff, code }) => diff ?? code))].join('\n'),
  };
}

const REMEDY_WORDS = { fix: 'Fix', near: 'Near name' } as const;

function remedyNote({ kind, works, kernels, inModules = 0 }: Remedy): string {
  const all = countOf(kernels, 'kernel');
  const open = inModules === 0 ? '' : ` On ${inModules} a module may have the target.`;
  return kind === 'fix'
    ? `Checked: with it the object gets past this reason on ${works} of the ${all} with it.${open}`
    : `${works} of the ${all} with this reason have it. Compare the prototypes: it may be another event.`;
}
