import { CircleCheck, CircleSlash, CircleX } from 'lucide-react';
import type { FileCheck } from '#analysis/check/file-check.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Badge } from '#ui/Badge.tsx';
import { CheckedTypeLink } from './Detail.tsx';
import styles from './VerdictCard.module.css';
import type { Headline } from './verdict-text.ts';

const FACES = {
  ok: { tone: 'ok', Icon: CircleCheck },
  refused: { tone: 'danger', Icon: CircleX },
  unseen: { tone: 'warning', Icon: CircleSlash },
} as const;

const LOGS = { kernel: 'Kernel log', libbpf: 'libbpf log' } as const;

type VerdictCardProps = {
  readonly who: keyof typeof LOGS;
  readonly headline: Headline;
  readonly check: FileCheck;
  readonly types: TypeTable | null;
};

/** The verdict of the kernel or of libbpf, with the log line and the type of a rejection. */
export function VerdictCard({ who, headline, check, types }: VerdictCardProps) {
  const { outcome, title, text, refusal } = headline;
  const { tone, Icon } = FACES[outcome];
  return (
    <section className={styles.card} data-tone={tone} data-who={who}>
      <Icon size={who === 'kernel' ? 22 : 18} aria-hidden className={styles.icon} />
      <div className={styles.content}>
        <h2 className={styles.title}>{title}</h2>
        {refusal === null ? null : (
          <p className={styles.refusal}>
            <Badge text={refusal.errno} tone="danger" />
            {refusal.line === '' ? null : (
              <code className="shrink small mono-code medium break" title={LOGS[who]}>
                {drawnName(refusal.line)}
              </code>
            )}
            {refusal.typeId === null ? null : (
              <CheckedTypeLink check={check} types={types} id={refusal.typeId} />
            )}
          </p>
        )}
        {text === '' ? null : <p className="soft break pretty">{drawnName(text)}</p>}
      </div>
    </section>
  );
}
