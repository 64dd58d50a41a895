import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import styles from './BytesToolbar.module.css';
import type { OffsetSpace } from './go-to-offset.ts';
import type { Step } from './next-relocation.ts';
import { OffsetBox } from './OffsetBox.tsx';
import type { OffsetBase } from './region-words.ts';
import type { Reading } from './shown-bytes.ts';

const BASES = [
  { value: 'file', label: 'File' },
  { value: 'section', label: 'Section' },
] as const;

const READINGS = [
  { value: 'stored', label: 'As stored' },
  { value: 'relocated', label: 'As relocated' },
] as const;

type BytesToolbarProps = {
  /** Before the rest: the choice of a region where there is no room for a list. */
  readonly children?: ReactNode;
  readonly base: OffsetBase;
  readonly onBase: (base: OffsetBase) => void;
  /** The whole file has only one way to count. */
  readonly isSection: boolean;
  readonly space: OffsetSpace;
  readonly onGo: (offset: number) => void;
  readonly hasRelocations: boolean;
  readonly onStep: (step: Step) => void;
  /** null where there is nothing to relocate. */
  readonly reading: Reading | null;
  readonly onReading: (reading: Reading) => void;
  readonly isFinding: boolean;
  readonly onFind: () => void;
};

/** Where to go, and how offsets are counted. */
export function BytesToolbar(props: BytesToolbarProps) {
  const { children, base, onBase, isSection, space, onGo, hasRelocations, onStep } = props;
  const { reading, onReading, isFinding, onFind } = props;
  return (
    <Toolbar
      label="Bytes"
      end={
        <>
          <span aria-hidden className={styles.steps}>
            Relocation
          </span>
          <IconButton
            label="Previous relocation"
            keys={['p']}
            icon={<ChevronUp size={16} aria-hidden />}
            disabled={!hasRelocations}
            onClick={() => onStep('previous')}
          />
          <IconButton
            label="Next relocation"
            keys={['n']}
            icon={<ChevronDown size={16} aria-hidden />}
            disabled={!hasRelocations}
            onClick={() => onStep('next')}
          />
        </>
      }
    >
      {children}
      {isSection ? (
        <div className={styles.base}>
          <span aria-hidden>Offsets in</span>
          <Segmented label="Offsets in" options={BASES} value={base} onChange={onBase} />
        </div>
      ) : null}
      {reading === null ? null : (
        <Segmented label="Bytes" options={READINGS} value={reading} onChange={onReading} />
      )}
      <OffsetBox space={space} onGo={onGo} />
      <IconButton
        label="Find"
        keys={['f']}
        icon={<Search size={16} aria-hidden />}
        aria-pressed={isFinding}
        onClick={onFind}
      />
    </Toolbar>
  );
}
