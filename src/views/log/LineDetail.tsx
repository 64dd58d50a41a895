import { CircleCheck, OctagonX } from 'lucide-react';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { accessStringOf, isEnumRoot } from '#analysis/core/playground.ts';
import { type AskedPath, askedPath } from '#analysis/log/ask-target.ts';
import type { ExplainedLine } from '#analysis/log/explain.ts';
import { type Followed, followNames } from '#analysis/log/follow-names.ts';
import type { LineLink } from '#analysis/log/link-log.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitPlace, drawnName } from '#bytes/text.ts';
import type { CoreIndex, TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { useAnswer } from '#store/session/hooks.ts';
import { activate } from '#store/session/panes.ts';
import type { FileId } from '#store/session/session.ts';
import { Chip } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Panel } from '#ui/Panel.tsx';
import { type OpenKernel, useOpenKernels } from '#views/parts/core/TargetFrame.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import {
  follow,
  LineText,
  type LogObject,
  lineParts,
  memberPathOf,
  recordGoal,
  type TargetTypes,
} from '#views/parts/log/LineText.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LineDetail.module.css';
import { LINE_WORDS } from './line-class.ts';

type LineDetailProps = {
  readonly log: FileId;
  readonly object: LogObject | null;
  readonly line: ExplainedLine;
  readonly lineClass: keyof typeof LINE_WORDS;
  readonly link: LineLink | null;
  readonly target: TargetTypes | null;
};

/** Explains a log line, with links to the named types here and in open kernels. */
export function LineDetail({ log, object, line, lineClass, link, target }: LineDetailProps) {
  const targets = useOpenKernels(log);
  const parts = lineParts(object, line, link, target);
  const asked = askedPath(line);
  const { sentence } = line;
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
        <p className="break pretty strong size-14">
          {sentence === '' ? LINE_WORDS[lineClass].sentence : drawnName(sentence)}
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
      {object === null || link === null || link.others.length === 0 ? null : (
        <OtherRecords object={object} records={link.others} />
      )}
      {asked === null || local === null || object?.model.types == null ? null : (
        <DetailSection title="In this object">
          <FollowedPath
            file={object.file}
            types={object.model.types}
            asked={asked}
            followed={local}
          />
        </DetailSection>
      )}
      {asked === null ? null : targets.length === 0 ? (
        <DetailSection title="In a kernel">
          <p className="muted pretty">
            Open kernel BTF, or select a target, to look up these names in it.
          </p>
        </DetailSection>
      ) : (
        targets.map((kernel) => <TargetPaths key={kernel.id} target={kernel} asked={asked} />)
      )}
    </Panel>
  );
}

const MAX_CHOICES = 24;

type OtherRecordsProps = { readonly object: LogObject; readonly records: readonly CoreIndex[] };

/** Shows the records that a log line can be about if the line has no record number. */
function OtherRecords({ object: { file, model }, records }: OtherRecordsProps) {
  return (
    <DetailSection
      title="One of these relocations"
      aside={
        records.length > MAX_CHOICES
          ? `the first ${MAX_CHOICES} of ${countOf(records.length, 'record')}`
          : ''
      }
    >
      <ul className="wrapping gap-1">
        {records.slice(0, MAX_CHOICES).map((core) => {
          const { func, sectionName, relocIndexInSection } = coreRecord(model, core);
          return (
            <li key={core}>
              <Chip isMono onClick={() => follow(recordGoal(file, core))}>
                {drawnName(func?.name ?? sectionName)} relo #{relocIndexInSection}
              </Chip>
            </li>
          );
        })}
      </ul>
    </DetailSection>
  );
}

/** Maximum number of shown types that have the same name; most kernels have fewer. */
const MAX_TYPES = 4;

/** Shows the types and members that a line names, in one kernel. The kernel's worker finds them. */
function TargetPaths(props: { readonly target: OpenKernel; readonly asked: AskedPath }) {
  const { target, asked } = props;
  const answer = useAnswer(target.id, 'followLog', asked);
  const paths = answer.value;
  return (
    <DetailSection
      title={`In ${drawnName(target.name)}`}
      aside={
        paths === null || paths.length <= MAX_TYPES
          ? ''
          : `the first ${MAX_TYPES} of ${countOf(paths.length, 'type')} of that name`
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
          .slice(0, MAX_TYPES)
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

type FollowedPathProps = {
  /** File that contains the types. */
  readonly file: FileId;
  readonly types: TypeTable;
  readonly asked: AskedPath;
  readonly followed: Followed;
};

/** Shows a type and a member path. The step that fails is marked; similar names are links. */
function FollowedPath({ file, types, asked, followed }: FollowedPathProps) {
  const { root, fault } = followed;
  const steps = followedSteps(asked, followed);
  const sentence = faultSentence(types, followed);
  const place = placeText(types, followed);
  const show = (type: TypeId, path: readonly number[]) => {
    activate(file);
    select(typeSelection(type, path), 'types');
  };
  return (
    <div className={styles.path}>
      <p className={styles.chips}>
        <button type="button" className={styles.type} onClick={() => show(root, [])}>
          <KindBadge kind={kindOf(types, root)} decorative />
          <bdi>
            {asked.typeKind} {drawnName(asked.typeName)}
          </bdi>
          <span className="muted">[{root}]</span>
        </button>
        {steps.map(({ at, text, state }) => (
          <span key={at} className={styles.step} data-state={state}>
            {state === 'fault' ? <OctagonX size={13} role="img" aria-label="Not found:" /> : null}
            {state === 'unreached' ? <span className="visually-hidden">not reached: </span> : null}
            <bdi>{drawnName(text)}</bdi>
          </span>
        ))}
      </p>
      {sentence === null ? (
        <p className={styles.good} data-tone="ok">
          <CircleCheck size={14} aria-hidden />
          <span>Found{place === null ? '' : ` at ${place}`}.</span>
          {fault === null && steps.length > 0 ? (
            <button
              type="button"
              className={styles.name}
              onClick={() => show(root, memberPathOf(followed))}
            >
              Show member
            </button>
          ) : null}
        </p>
      ) : (
        <p className={styles.bad} data-tone="danger">
          <OctagonX size={14} aria-hidden />
          <span>{drawnName(sentence)}</span>
        </p>
      )}
      {fault === null || fault.near.length === 0 ? null : (
        <p className={styles.near}>
          <span>Did you mean:</span>
          {fault.near.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.name}
              onClick={() => show(fault.container, pathTo(types, fault.container, name))}
            >
              <bdi>{drawnName(name)}</bdi>
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

/** Returns the path of the member called `name`; empty for an enumerator. */
function pathTo(types: TypeTable, container: TypeId, name: string): number[] {
  const path = [{ name, index: null }];
  return memberPathOf(followNames(types, container, { path, enumerator: null }));
}

type FollowedStep = {
  readonly at: number;
  /** The step as C: `.i_atime`, `[2]`, `::VALUE`. Not escaped. */
  readonly text: string;
  /** `fault` is a step that does not exist; `unreached` are the steps after it. */
  readonly state: 'found' | 'fault' | 'unreached';
};

/** Returns the steps of the path `asked` with their states; empty for a type without a path. */
export function followedSteps(
  { path, enumeratorName }: Pick<AskedPath, 'path' | 'enumeratorName'>,
  { fault }: Pick<Followed, 'fault'>,
): FollowedStep[] {
  const texts =
    enumeratorName === null
      ? path.map((step) => (step.name === null ? `[${step.index}]` : `.${step.name}`))
      : [`::${enumeratorName}`];
  return texts.map((text, at) => ({
    at,
    text,
    state:
      fault === null || at < fault.atStep ? 'found' : at === fault.atStep ? 'fault' : 'unreached',
  }));
}

/** Explains why a path fails; null if it does not fail. Names are not escaped. */
export function faultSentence(t: TypeTable, { fault }: Pick<Followed, 'fault'>): string | null {
  if (fault === null) return null;
  const { name } = fault;
  const where = typeExpression(t, fault.container);
  const sentences = {
    'no-member': `${where} has no member ${name}.`,
    'no-enumerator': `${where} has no enumerator ${name}.`,
    'not-composite': `${where} has no members, so ${name} cannot be one.`,
    'not-array': `${where} is not an array.`,
    outside: `The index is outside ${where}.`,
  };
  return sentences[fault.reason];
}

/** Returns `byte 88`, `byte 4, bit 3` or `value 7`; null if the path is empty or fails. */
export function placeText(t: TypeTable, { root, steps, fault }: Followed): string | null {
  if (fault !== null || steps.length === 0) return null;
  const accessStr = accessStringOf(
    t,
    root,
    steps.map((step) => step.index),
  );
  const isEnum = isEnumRoot(t, root);
  const path = walkAccess(t, root, accessStr, isEnum ? 11 : 0);
  if (path.error !== null) return null;
  if (isEnum) return `value ${path.steps[0]?.enumValue}`;
  return bitPlace(path.bitOffset);
}
