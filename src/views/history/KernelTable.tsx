import { useMemo, useState } from 'react';
import type { AtlasSummary, KernelOfAtlas } from '#analysis/atlas/atlas-names.ts';
import { drawnName } from '#bytes/text.ts';
import { showInKernel } from '#store/address/atlas-kernels.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import styles from './KernelTable.module.css';

type KernelTableProps = {
  readonly fileId: FileId;
  /** Raw text. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly atlas: AtlasSummary;
};

/** The kernels of the atlas; a row opens one as a file of its own. */
export function KernelTable({ fileId, fileName, size, atlas }: KernelTableProps) {
  const { kernels } = atlas;
  const [at, setAt] = useState<number | null>(null);
  const columns = useMemo(() => rowColumns((index) => kernels[index], COLUMNS), [kernels]);
  const isWhole = kernels.every(({ hasTypes }) => hasTypes);
  return (
    <Landmark className="column tall surface" aria-label="Kernels">
      <header className={styles.header}>
        <h2 className={styles.title}>
          <Name text={fileName} otherwise="(no name)" />
        </h2>
        <p className="soft pretty">
          {`An atlas of ${countOf(kernels.length, 'kernel')} in ${sizeText(size)}. Choose a name on the left to see it in all of them. `}
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
          selectedIndex={at}
          onSelect={setAt}
          onActivate={(index) => {
            if (kernels[index]?.hasTypes) void showInKernel(fileId, index, null);
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
