import type { LogOverview, PartOverview } from '#analysis/verifier/log-overview.ts';
import { drawnName } from '#bytes/text.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { Menu } from '#ui/Menu.tsx';
import styles from './BindingBar.module.css';

type PartMenuProps = {
  readonly log: LogOverview;
  /** Index of the current part. */
  readonly part: number;
  readonly onChoose: (line: number) => void;
};

/** Maximum number of parts in the menu: it draws all of its items. */
const MAX_ITEMS = 500;

export const VERDICTS = {
  accepted: { text: 'accepted', tone: 'ok' },
  rejected: { text: 'rejected', tone: 'danger' },
  cut: { text: 'cut', tone: 'warning' },
  unknown: { text: 'no verdict', tone: 'neutral' },
} as const;

/** Shows which of several logs in a file is the current one; hidden for a single log. */
export function PartMenu({ log: { parts }, part, onChoose }: PartMenuProps) {
  const current = parts[part];
  if (parts.length < 2 || current === undefined) return null;
  return (
    <div className={styles.bar}>
      <Menu
        trigger={
          <Button size="small" isMenu>
            <span className="muted regular">
              Log {grouped(part + 1)} of {grouped(parts.length)}
            </span>
            <span className={styles.name}>
              <bdi>{partTitle(current)}</bdi>
            </span>
          </Button>
        }
        groups={() => [
          parts.slice(0, MAX_ITEMS).map((each, index) => ({
            id: `${index}`,
            label: `${partTitle(each)} · line ${grouped(each.firstLine + 1)} · ${VERDICTS[each.verdict].text}`,
            isChecked: index === part,
            onSelect: () => onChoose(each.tellingLine),
          })),
        ]}
      />
      <Badge {...VERDICTS[current.verdict]} />
    </div>
  );
}

/** Returns the program of a part, or what wrote its lines. */
function partTitle({ kind, program, loader }: PartOverview): string {
  if (program !== null) return drawnName(program);
  const of = loader === null ? '' : ` of ${drawnName(loader)}`;
  return { verifier: `Verifier log${of}`, btf: 'BTF log', loader: `Lines${of}` }[kind];
}
