import { coreRecord } from '#analysis/core/core-records.ts';
import { type AskedWay, askedWay } from '#analysis/log/ask-target.ts';
import { explainLine } from '#analysis/log/explain.ts';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Chip } from '#ui/Chip.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Panel } from '#ui/Panel.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { type OpenKernel, useOpenKernels } from '#views/parts/use-open-kernels.ts';
import { FollowedPath } from './FollowedPath.tsx';
import styles from './LineDetail.module.css';
import { follow, LineText } from './LineText.tsx';
import { lineParts, type TargetTypes } from './log-parts.ts';

type LineDetailProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly line: LogLine;
  readonly link: LineLink | null;
  readonly target: TargetTypes | null;
};

/** One line in full: what it says, and where the names in it lead, here and in each kernel. */
export function LineDetail({ id, model, line, link, target }: LineDetailProps) {
  const targets = useOpenKernels(id);
  const parts = lineParts(model, line, link, target);
  const asked = askedWay(line);
  const sentence = explainLine(line);
  const goals = parts.map((part) => part.goal).filter((goal) => goal !== null);
  const local = link?.local ?? null;
  return (
    <Panel
      title={`Line ${grouped(line.lineNumber + 1)}`}
      actions={<CopyButton text={line.text} label="Copy line" isIconOnly />}
    >
      <div className={styles.head}>
        <p className={styles.text}>
          <LineText parts={parts} />
        </p>
        <p className={styles.sentence}>
          {sentence === ''
            ? 'Unknown line. Programs also print lines of their own.'
            : drawnName(sentence)}
        </p>
        {goals.length === 0 ? null : (
          <div className="wrapping gap-1">
            {goals.map((goal) => (
              <Button key={goal.title} size="small" onClick={() => follow(goal)}>
                {goal.title}
              </Button>
            ))}
          </div>
        )}
      </div>
      {link === null || link.others.length === 0 ? null : (
        <OtherRecords model={model} records={link.others} />
      )}
      {asked === null || local === null || model.types === null ? null : (
        <DetailSection title="In this object">
          <FollowedPath file={id} types={model.types} asked={asked} followed={local} />
        </DetailSection>
      )}
      {asked === null ? null : targets.length === 0 ? (
        <DetailSection title="In a kernel">
          <p className="muted pretty">
            Open kernel BTF, or select a target, to look up these names in it.
          </p>
        </DetailSection>
      ) : (
        targets.map((one) => <TargetPaths key={one.id} target={one} asked={asked} />)
      )}
    </Panel>
  );
}

const MOST = 24;

type OtherRecordsProps = {
  readonly model: ObjectModel;
  readonly records: readonly CoreIndex[];
};

/** Records that a line may speak of, where it does not say which. */
function OtherRecords({ model, records }: OtherRecordsProps) {
  return (
    <DetailSection
      title="One of these relocations"
      aside={
        records.length > MOST ? `the first ${MOST} of ${countOf(records.length, 'record')}` : ''
      }
    >
      <ul className="wrapping gap-1">
        {records.slice(0, MOST).map((core) => {
          const { func, sectionName, relocIndexInSection } = coreRecord(model, core);
          return (
            <li key={core}>
              <Chip
                isMono
                onClick={() =>
                  follow({
                    selection: { kind: 'core', core, step: null },
                    view: 'core',
                    title: '',
                    file: null,
                  })
                }
              >
                {drawnName(func?.name ?? sectionName)} relo #{relocIndexInSection}
              </Chip>
            </li>
          );
        })}
      </ul>
    </DetailSection>
  );
}

/** Types of one name that are shown; hardly any kernel has more of them. */
const MOST_TYPES = 4;

/** Where the names of a line lead in one kernel. Its own worker looks them up. */
function TargetPaths({ target, asked }: { readonly target: OpenKernel; readonly asked: AskedWay }) {
  const answer = useAnswer(target.id, 'followLog', asked);
  const paths = answer.value;
  return (
    <DetailSection
      title={`In ${drawnName(target.name)}`}
      aside={
        paths === null || paths.length <= MOST_TYPES
          ? ''
          : `the first ${MOST_TYPES} of ${countOf(paths.length, 'type')} of that name`
      }
    >
      {paths === null ? (
        <p className="soft break">
          {answer.step === 'failed' ? drawnName(answer.issue.message) : 'Looking up…'}
        </p>
      ) : paths.length === 0 ? (
        <p className="soft break">
          No {asked.typeKind} {drawnName(asked.typeName)}.
        </p>
      ) : (
        paths
          .slice(0, MOST_TYPES)
          .map((followed) => (
            <FollowedPath
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
