import { useState } from 'react';
import { type AtlasName, type AtlasSummary, ENTRY_KINDS } from '#analysis/atlas/atlas-names.ts';
import { drawnName } from '#bytes/text.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { atlasOf, type FileId } from '#store/session/session.ts';
import { Split } from '#ui/Split.tsx';
import { KernelTable } from './KernelTable.tsx';
import { NameHistoryPart } from './NameHistoryPart.tsx';
import { NamesPane } from './NamesPane.tsx';
import { historyState } from './state.ts';

/** The kernels of an atlas, its names, and the history of one name from kernel to kernel. */
export function HistoryView() {
  const file = usePaneFile();
  const atlas = atlasOf(file);
  if (file === null || atlas === null) return null;
  return (
    <AtlasPanes
      fileId={file.id}
      fileName={file.name}
      size={file.size}
      atlas={atlas}
      isListed={file.servedKey === undefined}
    />
  );
}

/** A name as the address has it: `struct:task_struct`; the kind may be missing. */
export type Entry = { readonly kind: AtlasName['kind'] | null; readonly name: string };

type AtlasPanesProps = {
  readonly fileId: FileId;
  /** Raw text. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly atlas: AtlasSummary;
  readonly isListed: boolean;
};

function AtlasPanes({ fileId, fileName, size, atlas, isListed }: AtlasPanesProps) {
  const entry = parseEntry(historyState.useOf(fileId).entry);
  const [isListWanted, setListWanted] = useState(false);
  const open = (next: Entry | null) => {
    historyState.set({ entry: next === null ? null : entryText(next), item: null }, fileId);
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
            isListed={isListed}
            onOpen={open}
          />
        }
        second={
          entry === null ? (
            <KernelTable fileId={fileId} fileName={fileName} size={size} atlas={atlas} />
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

/** Takes any text. */
export function parseEntry(text: string | null): Entry | null {
  if (text === null || text === '') return null;
  const [, word, name = text] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  const kind = ENTRY_KINDS.find((one) => one === word);
  return kind === undefined ? { kind: null, name: text } : { kind, name };
}

function entryText({ kind, name }: Entry): string {
  return kind === null ? name : `${kind}:${name}`;
}
