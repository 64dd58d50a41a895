import { FolderOpen, GitCompareArrows, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { KernelOfAtlas } from '#analysis/atlas/atlas-names.ts';
import { itemsByName, type NameHistory, type NumberedForm } from '#analysis/atlas/history.ts';
import type { HistoryColumn } from '#analysis/atlas/history-grid.ts';
import { drawnName } from '#bytes/text.ts';
import { compareKernels, showInKernel } from '#store/address/atlas-kernels.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { shortText } from '#views/parts/history/history-cells.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './CellDetail.module.css';

type CellDetailProps = {
  readonly fileId: FileId;
  readonly kernels: readonly KernelOfAtlas[];
  readonly history: NameHistory;
  readonly columns: readonly HistoryColumn[];
  readonly item: string | null;
  readonly column: number | null;
};

/** Shows the active cell in full, with buttons that lead to its kernels. */
export function CellDetail(props: CellDetailProps) {
  const { item, column } = props;
  return (
    <Landmark className={styles.detail} aria-label="Active cell">
      {item === null && column === null ? (
        <p className="muted pretty">
          Each cell is an offset in one kernel. Choose a cell to see it in full, a name to see where
          a program may use it.
        </p>
      ) : (
        <>
          {column === null ? null : <ColumnDetail {...props} column={column} />}
          {item === null ? null : <ItemDetail {...props} item={item} />}
        </>
      )}
    </Landmark>
  );
}

function ColumnDetail(props: CellDetailProps & { readonly column: number }) {
  const { fileId, kernels, history, columns, item, column } = props;
  const here = columns[column];
  const before = here === undefined || here.isFirst ? undefined : columns[column - 1];
  if (here === undefined) return null;
  const kernel = here.kernels[0] ?? 0;
  const older = before?.kernels.at(-1);
  const form = history.forms[here.form ?? -1];
  const member = form === undefined || item === null ? undefined : itemsByName(form).get(item);
  return (
    <div className={styles.line}>
      <span className="mono small">
        <Name text={kernels[kernel]?.name ?? ''} />
        {form?.modules[kernel] === undefined ? null : (
          <span className="muted"> in its module {drawnName(form.modules[kernel] ?? '')}</span>
        )}
        {here.kernels.length > 1 ? (
          <span className="muted"> and {countOf(here.kernels.length - 1, 'other')}</span>
        ) : null}
      </span>
      <span className="soft small">
        {form === undefined
          ? `has no ${drawnName(history.name)}`
          : member === undefined
            ? drawnName(form.title)
            : `${drawnName(member.name)}: ${member.bitOffset === null ? '' : `offset ${shortText(member)}, `}${drawnName(member.text)}`}
      </span>
      {kernels[kernel]?.hasTypes === true ? (
        <span className="wrapping gap-1 at-end">
          <Button
            size="small"
            icon={FolderOpen}
            onClick={() => void showInKernel(fileId, kernel, form === undefined ? null : history)}
          >
            Open this kernel
          </Button>
          {older === undefined ? null : (
            <Button
              size="small"
              icon={GitCompareArrows}
              onClick={() => void compareKernels(fileId, [older, kernel], history)}
            >
              Compare with {drawnName(kernels[older]?.name ?? '')}
            </Button>
          )}
        </span>
      ) : null}
    </div>
  );
}

/** Shows in how many kernels an item exists, and its offsets and forms. */
function ItemDetail(props: CellDetailProps & { readonly item: string }) {
  const { fileId, kernels, history, item } = props;
  const { kind, name, forms } = history;
  const [asked, setAsked] = useState<string | null>(null);
  const having = forms.filter((form) => itemsByName(form).has(item));
  const items = itemsOf(history, item);
  const offsets = new Set(items.map(({ bitOffset }) => bitOffset)).size;
  const texts = new Set(items.map(({ text }) => text)).size;
  const parts = [
    `in ${countKernels(having)} of ${countOf(kernels.length, 'kernel')}`,
    ...(items[0]?.bitOffset == null ? [] : [`at ${countOf(offsets, 'offset')}`]),
    ...(texts > 1 ? [`in ${texts} forms`] : []),
  ];
  const isMember = kind === 'struct' || kind === 'union';
  // The atlas has no BTF of modules, so members of their types cannot be tried.
  const isInModules = forms.some(({ modules }) => Object.keys(modules).length > 0);
  const canTry =
    isMember && item !== '' && !isInModules && kernels.every(({ hasTypes }) => hasTypes);
  return (
    <>
      <div className={styles.line}>
        <span className="mono small">
          <Name text={`${name}.${item}`} />
        </span>
        <span className="soft small">{parts.join(', ')}</span>
        {canTry ? (
          <span className="wrapping gap-1 at-end">
            <Button size="small" icon={ShieldCheck} onClick={() => setAsked(item)}>
              Safe everywhere?
            </Button>
          </span>
        ) : null}
      </div>
      {canTry && asked === item ? (
        <SafeEverywhere fileId={fileId} kernels={kernels} history={history} item={item} />
      ) : null}
    </>
  );
}

function countKernels(forms: readonly Pick<NumberedForm, 'kernels'>[]): number {
  return forms.reduce((sum, form) => sum + form.kernels.length, 0);
}

function itemsOf({ forms }: NameHistory, item: string) {
  return forms.flatMap((form) => itemsByName(form).get(item) ?? []);
}

/** Returns the different widths of an item, in bits. */
function widthsOf(history: NameHistory, item: string): readonly number[] {
  return [...new Set(itemsOf(history, item).map(({ bits }) => bits))];
}

function isBitField(history: NameHistory, item: string): boolean {
  return itemsOf(history, item).some(
    ({ bits, bitOffset }) => bits % 8 !== 0 || (bitOffset ?? 0) % 8 !== 0,
  );
}

const OUTCOMES = {
  reads: 'reads it',
  missing: 'finds no such member',
  fails: 'is not loaded: libbpf gives up',
} as const;

type SafeEverywhereProps = Pick<CellDetailProps, 'fileId' | 'kernels' | 'history'> & {
  readonly item: string;
};

/** Shows on which kernels a CO-RE read of the member works, and code for kernels that differ. */
function SafeEverywhere({ fileId, kernels, history, item }: SafeEverywhereProps) {
  const { kind, name } = history;
  const answer = useAnswer(fileId, 'atlasAccess', { kind, name, item });
  if (answer.step === 'failed') {
    return <Callout severity="error" title={drawnName(answer.issue.message)} />;
  }
  if (answer.step === 'waiting') {
    const { done = 0, total = 0 } = answer.progress ?? {};
    return (
      <ProgressBar
        label="Trying it on one kernel of each form…"
        fraction={total > 0 ? done / total : null}
      />
    );
  }
  if (answer.value === null) return <p className="muted">No kernel has this member.</p>;
  const { compiledOn, tried, remedies } = answer.value;
  const widths = widthsOf(history, item);
  const isRead = tried.every(({ outcome }) => outcome === 'reads');
  const names = (numbers: readonly number[]) =>
    numbers.map((number) => drawnName(kernels[number]?.name ?? '')).join(', ');
  return (
    <div className={styles.answer}>
      <p className="pretty">
        {`A program that was compiled with the types of ${drawnName(kernels[compiledOn]?.name ?? '')}, tried on one kernel of each of ${countOf(tried.length, 'form')}:`}
      </p>
      <ul className="grid gap-hair break">
        {(['reads', 'missing', 'fails'] as const).map((outcome) => {
          const forms = tried.filter((form) => form.outcome === outcome);
          if (forms.length === 0) return null;
          return (
            <li key={outcome}>
              <strong>{`${OUTCOMES[outcome]} on ${countOf(countKernels(forms), 'kernel')}`}</strong>
              {outcome === 'reads'
                ? isRead && widths.length === 1
                  ? ': safe everywhere'
                  : ''
                : `: ${names(forms.flatMap((form) => form.kernels))}`}
            </li>
          );
        })}
      </ul>
      {widths.length > 1 ? (
        <p className="pretty">
          {`Its width is not the same on all: ${widths.map((bits) => (bits % 8 === 0 ? countOf(bits / 8, 'byte') : countOf(bits, 'bit'))).join(', ')}. A read of the wrong width takes too much or too little; bpf_core_field_size tells it at load.`}
        </p>
      ) : null}
      {isRead ? (
        <Code
          text={`${isBitField(history, item) ? 'BPF_CORE_READ_BITFIELD_PROBED' : 'BPF_CORE_READ'}(p, ${drawnName(item)})`}
          label="Code that reads it"
        />
      ) : (
        remedies.map((remedy) => (
          <div key={remedy.code}>
            <p>{`${drawnName(remedy.title)}: works on ${remedy.works} of ${countOf(remedy.kernels, 'form')}`}</p>
            <Code text={drawnLines(remedy.code)} label="Code that works on more kernels" />
          </div>
        ))
      )}
    </div>
  );
}
