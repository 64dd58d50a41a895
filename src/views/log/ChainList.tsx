import { useState } from 'react';
import type { ChainInsn } from '#analysis/verifier/told-answer.ts';
import { drawnName } from '#bytes/text.ts';
import { Button } from '#ui/Button.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { chainGroups, placeText } from './answer-text.ts';
import styles from './ChainList.module.css';

type ChainListProps = {
  /** Accessible name. */
  readonly label: string;
  readonly places: readonly ChainInsn[];
  /** Instruction that fails, and the one that gave the value; null if they are not shown. */
  readonly fault: number | null;
  readonly origin: number | null;
  readonly line: number;
  readonly onChoose: (line: number) => void;
};

/** Shows instructions in lines of C; each line unfolds to its instructions. */
export function ChainList({ label, places, fault, origin, line, onChoose }: ChainListProps) {
  const groups = chainGroups(places);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <ol className={styles.chain} aria-label={label}>
      {groups.map((group, index) => {
        const [first] = group;
        const last = group.at(-1);
        if (first === undefined || last === undefined) return null;
        const isOpen = open.has(index);
        const has = (insn: number | null) => group.some((place) => place.insn === insn);
        const role = has(fault) ? 'fault' : has(origin) ? 'origin' : 'between';
        return (
          <li key={`${first.insn} ${last.insn}`} className={styles.place} data-role={role}>
            <div className={styles.placeHead}>
              <button
                type="button"
                className={styles.source}
                data-current={group.some((place) => place.logLine === line) ? '' : undefined}
                onClick={() => {
                  const to = group.findLast(({ logLine }) => logLine !== null)?.logLine;
                  if (to != null) onChoose(to);
                }}
              >
                <span className={styles.where}>
                  {first.source === null
                    ? `insn ${first.insn}`
                    : drawnName(placeText(first.source))}
                </span>
                <code className={styles.code}>
                  {drawnName((first.source?.text ?? first.text).trim())}
                </code>
              </button>
              <Button
                size="small"
                variant="quiet"
                aria-expanded={isOpen}
                onClick={() => setOpen(toggled(open, index))}
              >
                {group.length === 1 ? `insn ${first.insn}` : countOf(group.length, 'instruction')}
              </Button>
            </div>
            {isOpen ? (
              <ul className={styles.insns}>
                {group.map(({ insn, text, logLine }) => (
                  <li key={insn}>
                    <button
                      type="button"
                      className={styles.insn}
                      disabled={logLine === null}
                      onClick={() => {
                        if (logLine !== null) onChoose(logLine);
                      }}
                    >
                      <span className="muted">{insn}</span>
                      <code>{text === '' ? 'not walked' : drawnName(text)}</code>
                    </button>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

function toggled(open: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(open);
  if (!next.delete(index)) next.add(index);
  return next;
}
