import { askedWay } from '#analysis/log/ask-target.ts';
import { explainLine } from '#analysis/log/explain.ts';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Panel } from '#ui/Panel.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { useOpenKernels } from '#views/parts/use-open-kernels.ts';
import { AccessWay } from './AccessWay.tsx';
import styles from './LineDetail.module.css';
import { follow, LineText } from './LineText.tsx';
import { lineParts, type TargetTypes } from './log-parts.ts';
import { OtherRecords } from './OtherRecords.tsx';
import { TargetWay } from './TargetWay.tsx';

/** One line in full: what it says, and where the names in it lead, here and in each kernel. */
export function LineDetail({
  id,
  model,
  line,
  link,
  target,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly line: LogLine;
  readonly link: LineLink | null;
  readonly target: TargetTypes | null;
}) {
  const targets = useOpenKernels(id);
  const parts = lineParts(model, line, link, target);
  const asked = askedWay(line);
  const sentence = explainLine(line);
  const goals = parts.map((part) => part.goal).filter((goal) => goal !== null);
  const local = link?.local ?? null;
  return (
    <Panel
      title={`Line ${grouped(line.lineNumber + 1)}`}
      actions={<CopyButton text={line.text} label="Copy the line" isIconOnly />}
    >
      <div className={styles.head}>
        <p className={styles.text}>
          <LineText parts={parts} />
        </p>
        <p className={styles.sentence}>
          {sentence === ''
            ? 'This line is not known here. That means nothing: programs print all sorts of things.'
            : drawnName(sentence)}
        </p>
        {goals.length === 0 ? null : (
          <div className={styles.actions}>
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
          <AccessWay file={id} types={model.types} asked={asked} followed={local} />
        </DetailSection>
      )}
      {asked === null ? null : targets.length === 0 ? (
        <DetailSection title="In a kernel">
          <p className={styles.hint}>
            Open a kernel’s BTF, or choose one as the target, to see where this leads in it.
          </p>
        </DetailSection>
      ) : (
        targets.map((one) => <TargetWay key={one.id} target={one} asked={asked} />)
      )}
    </Panel>
  );
}
