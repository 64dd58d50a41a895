import type { AskedWay } from '#analysis/log/ask-target.ts';
import { drawnName } from '#bytes/text.ts';
import { useAnswer } from '#store/hooks.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { OpenKernel } from '#views/parts/use-open-kernels.ts';
import { AccessWay } from './AccessWay.tsx';
import styles from './TargetWay.module.css';

/** Types of one name that are shown; hardly any kernel has more of them. */
const MOST = 4;

/** Where the names of a line lead in one kernel. Its own worker looks them up. */
export function TargetWay({
  target,
  asked,
}: {
  readonly target: OpenKernel;
  readonly asked: AskedWay;
}) {
  const answer = useAnswer(target.id, 'followLog', asked);
  const ways = answer.value;
  return (
    <DetailSection
      title={`In ${drawnName(target.name)}`}
      aside={
        ways === null || ways.length <= MOST
          ? ''
          : `the first ${MOST} of ${countOf(ways.length, 'type')} of that name`
      }
    >
      {ways === null ? (
        <p className={styles.note}>
          {answer.step === 'failed' ? drawnName(answer.issue.message) : 'Looking it up…'}
        </p>
      ) : ways.length === 0 ? (
        <p className={styles.note}>
          It has no {asked.typeKind} {drawnName(asked.typeName)}.
        </p>
      ) : (
        ways
          .slice(0, MOST)
          .map((followed) => (
            <AccessWay
              key={followed.root}
              file={target.id}
              types={target.types}
              asked={asked}
              followed={followed}
            />
          ))
      )}
    </DetailSection>
  );
}
