import { Download } from 'lucide-react';
import { EXAMPLES } from '#analysis/workbench/examples.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { editWorkbench, startOver } from '#store/edit-workbench.ts';
import type { FileId } from '#store/session.ts';
import type { Workbench } from '#store/workbench-state.ts';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { saveFile } from '#views/parts/save-file.ts';
import styles from './WorkbenchToolbar.module.css';

const ENDIANS = { little: 'Little-endian', big: 'Big-endian' } as const;

type WorkbenchToolbarProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly workbench: Workbench;
};

/** Examples, the byte order, how much it is, and the file to take away. */
export function WorkbenchToolbar({ id, model, workbench }: WorkbenchToolbarProps) {
  const { types } = model;
  return (
    <Toolbar
      label="Workbench"
      end={
        <>
          <span className={styles.size}>
            {countOf(types?.count ?? 0, 'type')} · {countOf(model.size, 'byte')}
          </span>
          <Button
            size="small"
            disabled={types === null}
            onClick={() => types !== null && saveFile('workbench.btf', types.blob)}
            icon={Download}
          >
            Export .btf
          </Button>
        </>
      }
    >
      <Menu
        trigger={
          <Button size="small" isMenu>
            Examples
          </Button>
        }
        groups={[
          EXAMPLES.map((example) => ({
            id: example.id,
            label: example.title,
            onSelect: () => void startOver(id, example.text),
          })),
        ]}
      />
      <Segmented
        label="Byte order"
        options={ENDIANS}
        value={workbench.endian}
        onChange={(endian) => void editWorkbench(id, { endian })}
      />
    </Toolbar>
  );
}
