import { ArrowUpRight, FilePlus2 } from 'lucide-react';
import { useRef } from 'react';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { LoadProgram } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import { reasonLine, reasonPlace } from '#analysis/load/load-table.ts';
import type { Remedy, RemedyReason } from '#analysis/load/remedies.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { drawnName } from '#bytes/text.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/address/navigation.ts';
import { attachFiles } from '#store/kernels/kernel-facts.ts';
import { remediesOn } from '#store/kernels/load-results.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import { stepWord } from './cell-text.ts';
import { NEED_WORDS } from './KernelMenu.tsx';
import styles from './LoadDetail.module.css';

/** Shows a reason as the line that libbpf logs, with buttons to its record and its instruction. */
export function ReasonText(props: ReasonContext) {
  const { model, reason } = props;
  const { place, record } = reasonGoals(props);
  const { source, insn } = reason;
  return (
    <>
      <p className={styles.reason}>
        <span className={styles.step}>{stepWord(reason.step)}</span>
        <code className={styles.text}>{drawnName(reasonLine(reason))}</code>
      </p>
      {place === null && record === null ? null : (
        <p className={styles.goals}>
          {record === null ? null : (
            <Button
              size="small"
              variant="quiet"
              icon={ArrowUpRight}
              onClick={() => showRecord(record)}
            >
              relo #{model.ext.core.indexInSection[record]}
            </Button>
          )}
          {place === null ? null : (
            <Button
              size="small"
              variant="quiet"
              icon={ArrowUpRight}
              onClick={() => showCode(place)}
            >
              {insn === null ? 'Code' : `insn ${insn}`}
              {source === null ? null : (
                <span className="mono muted regular">
                  <bdi>{drawnName(source.file)}</bdi>:{source.line}
                </span>
              )}
            </Button>
          )}
        </p>
      )}
    </>
  );
}

type NeedsProps = {
  readonly kernel: FileId;
  readonly onMenu: (kernel: FileId) => void;
  readonly needs: ReadonlyMap<KernelNeed, readonly string[]>;
};

const MAX_NAMES = 8;

/** Shows buttons that add missing facts about the kernel, which would decide more results. */
export function Needs({ kernel, needs, onMenu }: NeedsProps) {
  const input = useRef<HTMLInputElement>(null);
  if (needs.size === 0) return null;
  return (
    <ul className={styles.needs} aria-label="Not decided">
      {[...needs].map(([need, names]) => (
        <li key={need} className={styles.need}>
          <Button
            size="small"
            icon={FilePlus2}
            onClick={() => (need === 'release' ? onMenu(kernel) : input.current?.click())}
          >
            {NEED_WORDS[need]}
          </Button>
          <span className="soft break">
            {names.slice(0, MAX_NAMES).map(drawnName).join(', ')}
            {names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}
          </span>
        </li>
      ))}
      <li className="visually-hidden">
        <FileInput
          ref={input}
          label="Files that decide more"
          multiple
          onFiles={(files) => void attachFiles(kernel, files)}
        />
      </li>
    </ul>
  );
}

type ReasonContext = {
  readonly model: ObjectModel;
  /** Result of loading the object on the kernel; null if no kernel is chosen. */
  readonly verdict: LoadVerdict | null;
  /** Program of the reason; null if the reason concerns the whole object. */
  readonly program: LoadProgram | null;
  readonly reason: Reason;
};

type ReasonGoals = { readonly place: InsnPlace | null; readonly record: CoreIndex | null };

function reasonGoals({ program, reason }: ReasonContext): ReasonGoals {
  const { about } = reason;
  return {
    place: program === null ? null : reasonPlace(program, reason),
    record: about?.of === 'record' ? coreIndex(about.record) : null,
  };
}

export function showRecord(core: CoreIndex): void {
  select({ kind: 'core', core, step: null }, 'core');
}

function showCode({ section, insnOff }: InsnPlace): void {
  select({ kind: 'insn', section, insnOff }, 'code');
}

/** Shows the record of a reason; if the reason has no record, shows its instruction. */
export function goToReason(context: ReasonContext): void {
  const { place, record } = reasonGoals(context);
  if (record !== null) showRecord(record);
  else if (place !== null) showCode(place);
}

type FixesProps = {
  readonly object: FileId;
  /** Kernels on which the object or program fails for this reason. */
  readonly kernels: readonly FileId[];
  readonly reason: RemedyReason;
};

/** Shows changes of the source code that remove a reason, as code to copy. */
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
