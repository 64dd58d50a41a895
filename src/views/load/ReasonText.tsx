import { ArrowUpRight, FilePlus2 } from 'lucide-react';
import { useRef } from 'react';
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import { reasonLine } from '#analysis/load/load-table.ts';
import { drawnName } from '#bytes/text.ts';
import { attachFiles } from '#store/kernels/kernel-facts.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { stepWord } from './cell-text.ts';
import { NEED_WORDS } from './facts-text.ts';
import styles from './LoadDetail.module.css';
import { type OneReason, reasonGoals, showCode, showRecord } from './reason-goals.ts';

/** One reason: libbpf's line, and where it leads. */
export function ReasonText(props: OneReason) {
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
  /** Opens the menu of a kernel. */
  readonly onMenu: (kernel: FileId) => void;
  readonly needs: ReadonlyMap<KernelNeed, readonly string[]>;
};

const MAX_NAMES = 8;

/** Facts that would decide more, with a button that adds them. */
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
