import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { hexText } from '#bytes/text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { Toolbar } from '#ui/Panel.tsx';
import { GoToBox, type Place } from '#views/parts/GoToBox.tsx';
import styles from './BytesToolbar.module.css';
import type { Reading } from './HexArea.tsx';
import type { OffsetBase } from './regions.ts';
import type { Step } from './use-places.ts';

const BASES = { file: 'File', section: 'Section' } as const;

const READINGS = { stored: 'As stored', relocated: 'As relocated' } as const;

type BytesToolbarProps = {
  /** Content at the start of the toolbar: in a narrow view, the menu of sections. */
  readonly children?: ReactNode;
  readonly base: OffsetBase;
  readonly onBase: (base: OffsetBase) => void;
  /** Whether the hex view shows a section, so that offsets can be counted from its start. */
  readonly isSection: boolean;
  readonly space: OffsetSpace;
  readonly onGo: (offset: number) => void;
  readonly hasRelocations: boolean;
  readonly onStep: (step: Step) => void;
  /** Whether stored or relocated bytes are shown; null if the section has nothing to relocate. */
  readonly reading: Reading | null;
  readonly onReading: (reading: Reading) => void;
  readonly isFinding: boolean;
  readonly onFind: () => void;
};

/** Shows the toolbar: origin of offsets, stored or relocated bytes, *Go to*, find, relocations. */
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
            icon={ChevronUp}
            disabled={!hasRelocations}
            onClick={() => onStep('previous')}
          />
          <IconButton
            label="Next relocation"
            keys={['n']}
            icon={ChevronDown}
            disabled={!hasRelocations}
            onClick={() => onStep('next')}
          />
        </>
      }
    >
      {children}
      {isSection ? (
        <div className="row gap-2 small soft">
          <span aria-hidden className={styles.offsets}>
            Offsets in
          </span>
          <Segmented label="Offsets in" options={BASES} value={base} onChange={onBase} />
        </div>
      ) : null}
      {reading === null ? null : (
        <Segmented label="Bytes" options={READINGS} value={reading} onChange={onReading} />
      )}
      <GoToBox
        label="Go to offset"
        placeholder="0x1a4, +16"
        title="Go to offset: hex or decimal, + or - from here"
        parse={(text) => parseOffset(text, space)}
        onGo={onGo}
      />
      <IconButton
        label="Find"
        keys={['f']}
        icon={Search}
        aria-pressed={isFinding}
        data-filter=""
        onClick={onFind}
      />
    </Toolbar>
  );
}

/** Offsets that the *Go to offset* box accepts. */
type OffsetSpace = {
  /** Offset that the view displays for the first byte. */
  readonly base: number;
  /** Number of bytes in the region. */
  readonly length: number;
  /** Offset to which `+` adds and from which `-` subtracts a distance. */
  readonly from: number;
};

const SHAPE = /^([+-]?)\s*(0x[\da-f]+|\d+|[\da-f]*[a-f][\da-f]*)$/i;

/** Parses an offset such as `0x1a4`, `1a4` (hex) or `420` (decimal), or a distance such as `+8`. */
export function parseOffset(text: string, space: OffsetSpace): Place {
  const [, sign, digits] = SHAPE.exec(text.trim()) ?? [];
  if (digits === undefined) {
    return {
      ok: false,
      problem: 'Enter an offset such as 0x1a4 or 420, or a distance such as +16',
    };
  }
  const isDecimal = /^\d+$/.test(digits);
  const value = Number(isDecimal || /^0x/i.test(digits) ? digits : `0x${digits}`);
  const { base, length, from } = space;
  const offset = sign === '+' ? from + value : sign === '-' ? from - value : value;
  if (offset >= base && offset < base + length) return { ok: true, at: offset };
  const last = base + length - 1;
  return {
    ok: false,
    problem:
      length === 0
        ? 'The region has no bytes'
        : `Offsets here go from ${hexText(base)} to ${hexText(last)} (${last})`,
  };
}
