import { ChevronDown, Layers } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { SplitBase } from '#model/split-base.ts';
import { type BaseCandidate, chooseBase, openAsBase, useBaseCandidates } from '#store/bases.ts';
import { type BaseFile, baseChoice, type OpenFile } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import styles from './BaseBar.module.css';
import { BaseMatches } from './BaseMatches.tsx';
import { BasePicker } from './BasePicker.tsx';
import { baseText, candidateLabel, needsText } from './base-words.ts';

type BaseBarProps = { readonly file: OpenFile; readonly model: ObjectModel };

/** What split BTF stands on, and the way to another base. Nothing for BTF that stands alone. */
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
    <section
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
        <BasePicker onPick={(picked) => void openAsBase(file.id, picked)} />
        <Matches model={model} file={file} />
        {chosen === null ? null : (
          <Button variant="quiet" size="small" onClick={() => choose(null)}>
            Remove base
          </Button>
        )}
      </div>
    </section>
  );
}

/** The button that chose a base is gone once it is chosen: the focus that it had comes to the bar. */
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
        <Button size="small">
          Open files
          <ChevronDown size={13} aria-hidden />
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

/** Leads to how each type of a distilled base was found, in the base that was chosen last. */
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
