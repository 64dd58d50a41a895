import { Braces, ChevronDown, Download, Sheet } from 'lucide-react';
import type { CoreMatrix } from '#analysis/core/matrix/matrix.ts';
import { matrixCsv, matrixJson } from '#print/core-matrix.ts';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/save-file.ts';

/** The whole table as a file, all rows and all chosen targets. */
export function ExportMenu({
  matrix,
  name,
  isDisabled,
}: {
  readonly matrix: CoreMatrix;
  /** Of the object. Raw text. */
  readonly name: string;
  readonly isDisabled: boolean;
}) {
  const save = (ending: string, text: string) => saveFile(`${name}.matrix.${ending}`, text);
  return (
    <Menu
      align="end"
      trigger={
        <Button disabled={isDisabled}>
          <Download size={14} aria-hidden />
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
      groups={[
        [
          {
            id: 'csv',
            label: 'CSV, all rows',
            icon: <Sheet size={14} aria-hidden />,
            onSelect: () => save('csv', [...matrixCsv(matrix)].join('')),
          },
          {
            id: 'json',
            label: 'JSON, all rows',
            icon: <Braces size={14} aria-hidden />,
            onSelect: () => save('json', matrixJson(matrix, name)),
          },
        ],
      ]}
    />
  );
}
