import { GitCompareArrows, X } from 'lucide-react';
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { drawnName } from '#bytes/text.ts';
import { isBpf } from '#model/object-model.ts';
import { chooseOther } from '#store/address/compare.ts';
import { showView } from '#store/address/navigation.ts';
import { activate } from '#store/session/panes.ts';
import { modelOf, type OpenFile, typesOf, useSession } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import styles from './App.module.css';

type CompareOfferProps = {
  /** Names of the two files that were opened together. */
  readonly names: readonly string[];
  readonly onClose: () => void;
};

/** Draws the offer to compare two files opened together. Draws nothing until both are read. */
export function CompareOffer({ names, onClose }: CompareOfferProps) {
  const files = useSession((state) => state.files);
  const pair = comparablePair(files, names);
  if (pair === null) return null;
  const [before, after] = pair;
  const compare = () => {
    onClose();
    activate(before.id);
    showView('compare');
    chooseOther(after);
  };
  return (
    <div role="status" className={styles.note}>
      <GitCompareArrows size={14} aria-hidden />
      <span>
        <bdi>{drawnName(before.name)}</bdi> and <bdi>{drawnName(after.name)}</bdi> were opened
        together.
      </span>
      <Button onClick={compare}>Compare</Button>
      <IconButton label="Dismiss" icon={X} onClick={onClose} />
    </div>
  );
}

/** Returns the two files, the older kernel first; null if they cannot be compared. */
export function comparablePair(
  files: readonly OpenFile[],
  names: readonly string[],
): readonly [OpenFile, OpenFile] | null {
  const opened = files.slice(-2).filter(({ name }) => names.includes(name));
  const [a, b] = opened.toSorted((one, other) =>
    compareKernels(kernelInfo(one.name).name, kernelInfo(other.name).name),
  );
  if (a === undefined || b === undefined || typesOf(a) === null || typesOf(b) === null) return null;
  return isProgram(a) === isProgram(b) ? [a, b] : null;
}

function isProgram(file: OpenFile): boolean {
  const model = modelOf(file);
  return model !== null && isBpf(model);
}
