import { useMemo, useState } from 'react';
import {
  type AtlasName,
  type AtlasSummary,
  ENTRY_KINDS,
  type KernelOfAtlas,
} from '#analysis/atlas/atlas-names.ts';
import { drawnName } from '#bytes/text.ts';
import { showInKernel } from '#store/address/atlas-kernels.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { atlasOf, type OpenFile } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { Split } from '#ui/Split.tsx';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import styles from './KernelTable.module.css';
import { NameHistoryPart } from './NameHistoryPart.tsx';
import { NamesPane } from './NamesPane.tsx';
import { historyState } from './state.ts';

/** Shows the kernels of an atlas, its names, and how one name changes from kernel to kernel. */
export function HistoryView() {
  const file = usePaneFile();
  const atlas = atlasOf(file);
  if (file === null || atlas === null) return null;
  return <AtlasPanes file={file} atlas={atlas} />;
}

/** The chosen name: `struct:task_struct`. `kind` is null for a name without a kind. */
export type Entry = { readonly kind: AtlasName['kind'] | null; readonly name: string };

type AtlasProps = { readonly file: OpenFile; readonly atlas: AtlasSummary };

function AtlasPanes({ file, atlas }: AtlasProps) {
  const { id: fileId, name: fileName, servedKey } = file;
  const entry = parseEntry(historyState.useOf(fileId).entry);
  const [isListWanted, setListWanted] = useState(false);
  const open = (next: Entry | null) => {
    historyState.set(
      { entry: next === null ? null : entryText(next), item: null, part: null },
      fileId,
    );
    setListWanted(false);
  };
  return (
    <>
      <h1 className="visually-hidden">{drawnName(fileName)}</h1>
      <Split
        label="Resize the list of names"
        firstSize={26}
        minFirst={280}
        minSecond={360}
        narrow={isListWanted || entry === null ? 'first' : 'second'}
        first={
          <NamesPane
            fileId={fileId}
            kernelCount={atlas.kernels.length}
            entry={entry}
            isListed={servedKey === undefined}
            onOpen={open}
          />
        }
        second={
          entry === null ? (
            <KernelTable file={file} atlas={atlas} />
          ) : (
            <NameHistoryPart
              key={entryText(entry)}
              fileId={fileId}
              atlas={atlas}
              entry={entry}
              onBack={() => setListWanted(true)}
              onKernels={() => open(null)}
            />
          )
        }
      />
    </>
  );
}

/** Parses the name in an address. A text without a known kind is a name as a whole. */
function parseEntry(text: string | null): Entry | null {
  if (text === null || text === '') return null;
  const [, word, name = text] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  const kind = ENTRY_KINDS.find((known) => known === word);
  return kind === undefined ? { kind: null, name: text } : { kind, name };
}

function entryText({ kind, name }: Entry): string {
  return kind === null ? name : `${kind}:${name}`;
}

/** Shows the kernels of the atlas. A row opens its kernel as a separate file. */
function KernelTable({ file, atlas: { kernels } }: AtlasProps) {
  const [row, setRow] = useState<number | null>(null);
  const columns = useMemo(() => rowColumns((index) => kernels[index], COLUMNS), [kernels]);
  const isWhole = kernels.every(({ hasTypes }) => hasTypes);
  return (
    <Landmark className="column tall surface" aria-label="Kernels">
      <header className={styles.header}>
        <h2 className={styles.title}>
          <Name text={file.name} otherwise="(no name)" />
        </h2>
        <p className="soft pretty">
          {`An atlas of ${countOf(kernels.length, 'kernel')} in ${sizeText(file.size)}. Choose a name on the left to see it in all of them. `}
          {isWhole
            ? 'Enter or a double click opens a kernel as a file of its own.'
            : 'It was built to answer questions only: its kernels cannot be opened.'}
        </p>
      </header>
      <div className="fill">
        <LinkTable
          label="Kernels of the atlas"
          columns={columns}
          count={kernels.length}
          selectedIndex={row}
          onSelect={setRow}
          onActivate={(index) => {
            if (kernels[index]?.hasTypes) void showInKernel(file.id, index, null);
          }}
        />
      </div>
    </Landmark>
  );
}

const COLUMNS: readonly RowColumn<KernelOfAtlas>[] = [
  column('name', 'Kernel', 200, ({ name }) => <Name text={name} />, { grow: 1 }),
  column('version', 'Version', 90, ({ version }) => drawnName(version)),
  column('arch', 'Architecture', 124, ({ arch }) => drawnName(arch)),
  column('flavour', 'Flavour', 100, ({ flavour }) => drawnName(flavour)),
  column('types', 'Types', 90, ({ typeCount }) => grouped(typeCount), NUMBER),
  column('size', 'Bytes of BTF', 124, ({ size }) => grouped(size), NUMBER),
];
