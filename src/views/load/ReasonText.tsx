import { ArrowUpRight, FilePlus2 } from 'lucide-react';
import { useRef } from 'react';
import { lineAt } from '#analysis/code/source-lines.ts';
import type { LoadProgram } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import { DEPENDENCY_WORDS } from '#analysis/load/load-sentence.ts';
import {
  externPlace,
  ownLine,
  reasonLine,
  reasonPlace,
  refuser,
} from '#analysis/load/load-table.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { drawnName } from '#bytes/text.ts';
import { type CoreIndex, coreIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/address/navigation.ts';
import { attachFiles } from '#store/kernels/kernel-facts.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { stepWord } from './cell-text.ts';
import { NEED_WORDS } from './KernelMenu.tsx';
import styles from './LoadDetail.module.css';

type ReasonTextProps = ReasonContext & {
  /** True if the reason concerns the whole object, not this program alone. */
  readonly isOfObject?: boolean;
};

/** Shows a reason: its sentence, its line of C, its record and instruction, and its log line. */
export function ReasonText(props: ReasonTextProps) {
  const { model, reason, isOfObject = false } = props;
  const { place, record } = reasonGoals(props);
  const { insn, dependsOn } = reason;
  // The line of a reason may be another one than that of its instruction.
  const line =
    reason.source ?? (place === null ? null : lineAt(model, place.section, place.insnOff));
  const log = ownLine(reason);
  return (
    <div className={styles.reason}>
      <p className={styles.tags}>
        <span data-tone={dependsOn === undefined ? 'danger' : 'warning'} className={styles.who}>
          {dependsOn === undefined
            ? `${refuser(reason)} refuses`
            : `depends on ${DEPENDENCY_WORDS[dependsOn]}`}
        </span>
        <span>{stepWord(reason.step)}</span>
        {isOfObject ? <span>whole object</span> : null}
      </p>
      <p className={styles.text}>{drawnName(reasonLine(reason))}</p>
      {line === null || line.text.trim() === '' ? null : (
        <code className={styles.source}>{drawnName(line.text.trim())}</code>
      )}
      {place === null && record === null ? null : (
        <p className={styles.goals}>
          {place === null ? null : (
            <Button
              size="small"
              variant="quiet"
              icon={ArrowUpRight}
              onClick={() => showCode(place)}
            >
              {insn === null ? 'Code' : `insn ${insn}`}
              {line === null ? null : (
                <span className="mono muted regular">
                  <bdi>{drawnName(line.file.replace(/.*\//s, ''))}</bdi>:{line.line}
                </span>
              )}
            </Button>
          )}
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
        </p>
      )}
      {log === null ? null : (
        <p className={styles.log}>
          <span className={styles.by}>{log.by}</span>
          <code className="break">{drawnName(log.line)}</code>
        </p>
      )}
    </div>
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
  /** Program of the reason; null if the reason concerns the whole object. */
  readonly program: LoadProgram | null;
  readonly reason: Reason;
};

type ReasonGoals = { readonly place: InsnPlace | null; readonly record: CoreIndex | null };

function reasonGoals({ model, program, reason }: ReasonContext): ReasonGoals {
  const { about } = reason;
  const record = about?.of === 'record' ? coreIndex(about.record) : null;
  const ofProgram = program === null ? null : reasonPlace(program, reason);
  const ofExtern = about?.of === 'extern' ? externPlace(model, about.name) : null;
  const ofRecord = record === null ? null : recordPlace(model, record);
  return { place: ofProgram ?? ofRecord ?? ofExtern, record };
}

function recordPlace({ ext }: ObjectModel, record: CoreIndex): InsnPlace | null {
  const section = ext.core.section[record] ?? -1;
  return section < 0
    ? null
    : { section: sectionIndex(section), insnOff: ext.core.insnOff[record] ?? 0 };
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
