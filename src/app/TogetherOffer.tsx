import { FlaskConical, GitCompareArrows, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { compareKernels, kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { counted, drawnName } from '#bytes/text.ts';
import { isBpf } from '#model/object-model.ts';
import { chooseOther } from '#store/address/compare.ts';
import { showView } from '#store/address/navigation.ts';
import { activate } from '#store/session/panes.ts';
import { modelOf, type OpenFile, typesOf, useSession } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import styles from './App.module.css';

type TogetherOfferProps = {
  /** Names of the files that were opened together. */
  readonly names: readonly string[];
  readonly onClose: () => void;
};

/**
 * Draws what can be done with files that were opened together: two can be compared, objects can be
 * loaded on kernels. Draws nothing until they are read.
 */
export function TogetherOffer({ names, onClose }: TogetherOfferProps) {
  const files = useSession((state) => state.files);
  const load = loadable(files, names);
  const pair = load === null ? comparablePair(files, names) : null;
  const offered = load === null ? (pair ?? []) : [load.object];
  const panes = useSession((state) => state.panes);
  // The offer ends once the view is open, by the button or by its tab.
  const isTaken = panes.some(
    ({ fileId, view }) =>
      view === (load === null ? 'compare' : 'load') && offered.some(({ id }) => id === fileId),
  );
  useEffect(() => {
    if (isTaken) onClose();
  });
  if (isTaken) return null;
  if (load !== null) {
    const { object, kernels } = load;
    return (
      <Offer
        icon={<FlaskConical size={14} aria-hidden />}
        action="Show Load"
        onAction={() => {
          onClose();
          activate(object.id);
          showView('load');
        }}
        onClose={onClose}
      >
        <bdi>{drawnName(object.name)}</bdi> and {counted(kernels.length, 'kernel')} were opened
        together. Load shows whether its programs load.
      </Offer>
    );
  }
  if (pair === null) return null;
  const [before, after] = pair;
  return (
    <Offer
      icon={<GitCompareArrows size={14} aria-hidden />}
      action="Compare"
      onAction={() => {
        onClose();
        activate(before.id);
        showView('compare');
        chooseOther(after);
      }}
      onClose={onClose}
    >
      <bdi>{drawnName(before.name)}</bdi> and <bdi>{drawnName(after.name)}</bdi> were opened
      together.
    </Offer>
  );
}

type OfferProps = {
  readonly icon: ReactNode;
  /** Label of the button. */
  readonly action: string;
  readonly onAction: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

function Offer({ icon, action, onAction, onClose, children }: OfferProps) {
  return (
    <div role="status" className={styles.note}>
      {icon}
      <span>{children}</span>
      <Button onClick={onAction}>{action}</Button>
      <IconButton label="Dismiss" icon={X} onClick={onClose} />
    </div>
  );
}

/** Returns the object and the kernels among the named files; null if it cannot be loaded on any. */
export function loadable(
  files: readonly OpenFile[],
  names: readonly string[],
): { readonly object: OpenFile; readonly kernels: readonly OpenFile[] } | null {
  const opened = files.filter(({ name }) => names.includes(name));
  if (opened.some(({ status }) => status.step === 'opening')) return null;
  const object = opened.find(isProgram);
  const kernels = opened.filter((file) => {
    const types = typesOf(file);
    return types !== null && !types.split && !isProgram(file);
  });
  return object === undefined || kernels.length === 0 ? null : { object, kernels };
}

/** Returns the two files, the older kernel first; null if they cannot be compared. */
export function comparablePair(
  files: readonly OpenFile[],
  names: readonly string[],
): readonly [OpenFile, OpenFile] | null {
  if (names.length !== 2) return null;
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
