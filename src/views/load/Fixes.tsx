import type { Remedy, RemedyReason } from '#analysis/load/remedies.ts';
import { drawnName } from '#bytes/text.ts';
import { remediesOn } from '#store/kernels/load-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Code } from '#ui/CopyButton.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';

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

const REMEDY_WORDS = { fix: 'Fix', near: 'Near name' } as const;

function remedyNote({ kind, works, kernels }: Remedy): string {
  const all = countOf(kernels, 'kernel');
  return kind === 'fix'
    ? `Checked: with it the object gets past this reason on ${works} of the ${all} with it.`
    : `${works} of the ${all} with this reason have it. Compare the prototypes: it may be another event.`;
}
