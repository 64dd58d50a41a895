/** The local headers of the workbench: a tab for each file, and the menu that adds files. */
import { useRef } from 'react';
import type { SourceFile } from '#analysis/workbench/sources.ts';
import { drawnName } from '#bytes/text.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { FileInput, Segmented } from '#ui/inputs.tsx';
import { Menu } from '#ui/Menu.tsx';
import { addHeaders, removeShownHeader, showSource } from './edit-workbench.ts';
import styles from './SourceFiles.module.css';
import { missingHeaders, readSources, takeSources } from './source-files.ts';
import type { Workbench } from './workbench-state.ts';

/** Most missing headers that the menu offers. */
const MAX_OFFERED = 12;

type SourceTabsProps = {
  readonly id: FileId;
  readonly headers: readonly SourceFile[];
  readonly shown: number;
};

/** Shows a tab for the program and for each header. */
export function SourceTabs({ id, headers, shown }: SourceTabsProps) {
  // A letter before the index keeps the order of the keys.
  const options = Object.fromEntries(
    ['Program', ...headers.map(({ name }) => drawnName(name))].map((title, i) => [`f${i}`, title]),
  );
  return (
    <div className={styles.tabs}>
      <Segmented
        label="File"
        options={options}
        value={`f${shown + 1}`}
        onChange={(key) => showSource(id, Number(key.slice(1)) - 1)}
      />
    </div>
  );
}

type SourceMenuProps = { readonly id: FileId; readonly workbench: Workbench };

/** Shows the menu that adds and removes headers. */
export function SourceMenu({ id, workbench }: SourceMenuProps) {
  const { headers, shown, notes } = workbench;
  const chooser = useRef<HTMLInputElement>(null);
  const take = async (files: readonly File[]) => {
    await takeSources(id, await readSources(files.map((file) => ({ name: file.name, file }))));
  };
  const groups = () => {
    const current = headers[shown];
    return [
      [{ id: 'add', label: 'Add files…', onSelect: () => chooser.current?.click() }],
      missingHeaders(notes)
        .slice(0, MAX_OFFERED)
        .map((name) => ({
          id: name,
          label: `New ${drawnName(name)}`,
          onSelect: () => void addHeaders(id, [{ name, text: '' }]),
        })),
      current === undefined
        ? []
        : [
            {
              id: 'remove',
              label: `Remove ${drawnName(current.name)}`,
              isDanger: true,
              onSelect: () => void removeShownHeader(id),
            },
          ],
    ].filter((group) => group.length > 0);
  };
  return (
    <>
      <Menu
        trigger={
          <Button size="small" isMenu>
            Files
          </Button>
        }
        groups={groups}
      />
      <FileInput
        ref={chooser}
        label="Add files to the workbench"
        accept=".c,.h"
        multiple
        onFiles={(files) => void take(files)}
      />
    </>
  );
}
