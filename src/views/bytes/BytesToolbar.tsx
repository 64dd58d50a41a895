import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { hexText } from '#bytes/text.ts';
import { announce } from '#store/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import styles from './BytesToolbar.module.css';
import type { Reading } from './copy-bytes.ts';
import type { OffsetBase } from './regions.ts';
import type { Step } from './use-places.ts';

const BASES = { file: 'File', section: 'Section' } as const;

const READINGS = { stored: 'As stored', relocated: 'As relocated' } as const;

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
        icon={Search}
        aria-pressed={isFinding}
        onClick={onFind}
      />
    </Toolbar>
  );
}

/** Takes an offset or a distance and goes there on Enter. The offset counts as those of `space`. */
function OffsetBox({ space, onGo }: Pick<BytesToolbarProps, 'space' | 'onGo'>) {
  const problemId = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  const go = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseOffset(text, space);
    setProblem(parsed.ok ? '' : parsed.problem);
    if (parsed.ok) onGo(parsed.offset);
    else announce(parsed.problem);
  };

  return (
    <form className={styles.form} onSubmit={go}>
      <input
        type="text"
        className={styles.input}
        aria-label="Go to offset"
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : problemId}
        placeholder="0x1a4, +16"
        title="Go to offset: hex or decimal, + or - from here"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setProblem('');
        }}
      />
      {problem === '' ? null : (
        <span id={problemId} className={styles.problem}>
          {problem}
        </span>
      )}
    </form>
  );
}

/** What a person types into the box that goes to an offset. */
type OffsetSpace = {
  /** Offset that the first byte of the region is written with. */
  readonly base: number;
  /** Bytes in the region. */
  readonly length: number;
  /** The offset that `+` and `-` count from. */
  readonly from: number;
};

type ParsedOffset =
  | { readonly ok: true; readonly offset: number }
  | { readonly ok: false; readonly problem: string };

const SHAPE = /^([+-]?)\s*(0x[\da-f]+|\d+|[\da-f]*[a-f][\da-f]*)$/i;

/**
 * `0x1a4`, `420` and `1a4` are places; with `+` or `-` a distance from where one
 * is. Digits alone are decimal. The problem is a sentence for the person.
 */
export function parseOffset(text: string, space: OffsetSpace): ParsedOffset {
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
  if (offset >= base && offset < base + length) return { ok: true, offset };
  const last = base + length - 1;
  return {
    ok: false,
    problem:
      length === 0
        ? 'The region has no bytes'
        : `Offsets here go from ${hexText(base)} to ${hexText(last)} (${last})`,
  };
}
