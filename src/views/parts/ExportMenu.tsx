import { Braces, Download, FileText, Sheet } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import { saveFile } from './save-file.ts';

const FORMATS = {
  csv: { name: 'CSV', Icon: Sheet },
  json: { name: 'JSON', Icon: Braces },
  md: { name: 'Markdown', Icon: FileText },
} as const;

type Exported = {
  /** Of the files, without their ending. Raw text. */
  readonly name: string;
  /** Which rows are written: `all rows`. */
  readonly rows: string;
  /** What makes the text of each format. */
  readonly texts: { readonly [F in keyof typeof FORMATS]?: () => string };
};

type ExportMenuProps = {
  readonly sets: readonly Exported[];
  readonly isDisabled?: boolean;
};

/** Saves the rows of a table as a file, in one of some formats; of several tables, each in its own. */
export function ExportMenu({ sets, isDisabled = false }: ExportMenuProps) {
  const groups = sets.map(({ name, rows, texts }) =>
    (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((ending) => {
      const text = texts[ending];
      const { name: format, Icon } = FORMATS[ending];
      if (text === undefined) return [];
      const save = () => saveFile(`${name}.${ending}`, text());
      return [
        {
          id: `${rows} ${ending}`,
          label: `${format}, ${rows}`,
          icon: <Icon size={14} aria-hidden />,
          onSelect: save,
        },
      ];
    }),
  );
  return (
    <Menu
      align="end"
      trigger={
        <Button disabled={isDisabled} icon={Download} isMenu>
          Export
        </Button>
      }
      groups={groups}
    />
  );
}
