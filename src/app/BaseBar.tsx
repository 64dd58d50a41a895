import { Layers } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { DistilledMatch, Estimate, SplitBase } from '#model/split-base.ts';
import { kindOf, lastId, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import {
  type BaseCandidate,
  chooseBase,
  openAsBase,
  useBaseCandidates,
} from '#store/address/bases.ts';
import { type BaseFile, baseChoice, type OpenFile } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import { FileButton } from '#ui/inputs.tsx';
import { Menu } from '#ui/Menu.tsx';
import { column, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './BaseBar.module.css';

type BaseBarProps = { readonly file: OpenFile; readonly model: ObjectModel };

/** Draws the base of split BTF and the menu of other bases. Draws nothing for other BTF. */
export function BaseBar({ file, model }: BaseBarProps) {
  const { splitBase } = model;
  return splitBase === null ? null : <Bar file={file} model={model} splitBase={splitBase} />;
}

function Bar({ file, model, splitBase }: BaseBarProps & { readonly splitBase: SplitBase }) {
  const { chosen, refused } = baseChoice(file);
  const candidates = useBaseCandidates(file.id);
  const others = candidates.filter(({ base }) => base.fileId !== chosen?.fileId);
  const [first] = others;
  const best = chosen === null && first?.fit === 'fits' ? first : null;
  const rest = others.filter((candidate) => candidate !== best);
  const choose = (base: BaseFile | null) => void chooseBase(file.id, base);
  const section = useKeptFocus(chosen?.fileId ?? null);
  return (
    <Landmark
      ref={section}
      tabIndex={-1}
      className={styles.bar}
      data-state={chosen === null ? 'open' : 'chosen'}
      aria-label="Base of the split BTF"
    >
      <Layers size={15} aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <p>{chosen === null ? needsText(splitBase) : baseText(chosen)}</p>
        {refused === null ? null : (
          <p className={styles.refusal} role="alert">
            {drawnName(refused.issue.message)}.
          </p>
        )}
      </div>
      <div className={styles.actions}>
        {best === null ? null : (
          <Button variant="primary" size="small" onClick={() => choose(best.base)}>
            <span className={styles.name}>Use {drawnName(best.base.name)}</span>
          </Button>
        )}
        <OpenFilesMenu candidates={rest} onChoose={choose} />
        <FileButton
          size="small"
          label="Open a base"
          onFiles={([picked]) => picked && void openAsBase(file.id, picked)}
        >
          Open a base…
        </FileButton>
        <Matches model={model} file={file} />
        {chosen === null ? null : (
          <Button variant="quiet" size="small" onClick={() => choose(null)}>
            Remove base
          </Button>
        )}
      </div>
    </Landmark>
  );
}

/** Moves the focus to the bar after a base is chosen, because the focused button disappears. */
function useKeptFocus(chosenId: number | null) {
  const section = useRef<HTMLElement>(null);
  const before = useRef(chosenId);
  useEffect(() => {
    if (before.current !== chosenId && document.activeElement === document.body) {
      section.current?.focus();
    }
    before.current = chosenId;
  }, [chosenId]);
  return section;
}

function OpenFilesMenu({
  candidates,
  onChoose,
}: {
  readonly candidates: readonly BaseCandidate[];
  readonly onChoose: (base: BaseFile) => void;
}): ReactNode {
  if (candidates.length === 0) return null;
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" isMenu>
          Open files
        </Button>
      }
      groups={[
        candidates.map((candidate) => ({
          id: `${candidate.base.fileId}`,
          label: candidateLabel(candidate),
          onSelect: () => onChoose(candidate.base),
        })),
      ]}
    />
  );
}

/** Draws the button that shows how a distilled base matches the base chosen last. */
function Matches({ file, model }: BaseBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { chosen, refused } = baseChoice(file);
  const distilled = model.splitBase?.distilled ?? null;
  const base = refused?.base ?? chosen;
  const matches = refused?.matches ?? model.splitBase?.matches ?? [];
  if (distilled === null || base === null || matches.length === 0) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        How types match
      </Button>
      <BaseMatches
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        distilled={distilled}
        base={base}
        matches={matches}
        isInUse={refused === null}
      />
    </>
  );
}

/** Height of a row or of the header, in CSS pixels. */
const ROW_HEIGHT = 28;

type BaseMatchesProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly distilled: TypeTable;
  readonly base: BaseFile;
  readonly matches: readonly DistilledMatch[];
  readonly isInUse: boolean;
};

/** Draws the match of each type of a distilled base in the real base, by libbpf's rules. */
function BaseMatches(props: BaseMatchesProps) {
  const { isOpen, onClose, distilled, base, matches, isInUse } = props;
  const ordered = useMemo(() => faultsFirst(matches), [matches]);
  const columns = useMemo(() => columnsOf(ordered, distilled), [ordered, distilled]);
  const found = matches.filter(({ outcome }) => outcome === 'mapped').length;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      title="Types of .BTF.base"
      description={`${grouped(found)} of ${grouped(matches.length)} are in ${drawnName(base.name)}${isInUse ? '.' : ', which is therefore not in use.'} They are looked up as libbpf does: by name and kind, and by size where the name is ambiguous.`}
    >
      <div className={styles.table} style={{ height: ROW_HEIGHT * (ordered.length + 1) + 2 }}>
        <VirtualTable
          label="Types of .BTF.base"
          columns={columns}
          count={ordered.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={null}
          onSelect={() => undefined}
        />
      </div>
    </Dialog>
  );
}

function faultsFirst(matches: readonly DistilledMatch[]): readonly DistilledMatch[] {
  return [
    ...matches.filter(({ outcome }) => outcome !== 'mapped'),
    ...matches.filter(({ outcome }) => outcome === 'mapped'),
  ];
}

const OUTCOMES = {
  mapped: { text: 'found', tone: 'ok' },
  ambiguous: { text: 'ambiguous', tone: 'warning' },
  missing: { text: 'not found', tone: 'danger' },
  invalid: { text: 'invalid', tone: 'danger' },
} as const;

function columnsOf(matches: readonly DistilledMatch[], distilled: TypeTable): TableColumn[] {
  return rowColumns<DistilledMatch>(
    (row) => matches[row],
    [
      column(
        'type',
        '.BTF.base',
        180,
        ({ id }) => (
          <span className="row gap-1 shrink">
            <KindBadge kind={kindOf(distilled, id)} />
            <bdi className="mono ellipsis">{drawnName(nameOf(distilled, id)) || '(anonymous)'}</bdi>
          </span>
        ),
        { grow: 2 },
      ),
      column('outcome', 'Outcome', 92, ({ outcome }) => <Badge {...OUTCOMES[outcome]} />),
      column('size', 'Size', 64, ({ id }) => grouped(sizeOrTypeOf(distilled, id)), {
        align: 'end',
      }),
      column('held', 'Held', 84, ({ isEmbedded }) => (isEmbedded ? 'by value' : '')),
      column(
        'base',
        'In the base',
        200,
        ({ baseIds, reason }) => (
          <span className="mono ellipsis" title={drawnName(reason)}>
            {reason === '' ? baseIds.map((id) => `[${id}]`).join(', ') : drawnName(reason)}
          </span>
        ),
        { grow: 3 },
      ),
    ],
  );
}

/** Returns text such as `This is split BTF. It needs 82 base types and 8 bytes of base strings.` */
export function needsText({ needs, distilled }: SplitBase): string {
  if (distilled !== null) {
    return `This is split BTF with a distilled base of its own: names and sizes of ${countOf(distilled.count, 'type')}. Open the real base to see the full types.`;
  }
  if (needs === null) return 'This is split BTF.';
  return `This is split BTF. It needs ${estimate(needs.typeCount)} base types and ${estimate(needs.strLen)} bytes of base strings.`;
}

function estimate({ value, sure }: Estimate): string {
  return `${sure === 'unknown' ? 'at least ' : ''}${grouped(value)}`;
}

/** Returns text such as `Split BTF on the base kernel.btf: 82 types, 1 085 bytes of strings.` */
export function baseText({ name, types }: BaseFile): string {
  const strLen = types.strBase + types.strEnd - types.strStart;
  return `Split BTF on the base ${drawnName(name)}: ${countOf(lastId(types), 'type')}, ${countOf(strLen, 'byte')} of strings.`;
}

/** Returns the menu label of a possible base, such as `kinds.btf does not fit (95 types)`. */
export function candidateLabel({ base, fit }: BaseCandidate): string {
  const name = drawnName(base.name);
  const size = `(${countOf(lastId(base.types), 'type')})`;
  const words = {
    waiting: name,
    fits: `${name} fits ${size}`,
    refused: `${name} does not fit ${size}`,
  };
  return words[fit];
}
