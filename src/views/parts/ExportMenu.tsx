import { Braces, Download, FileText, Sheet } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';

const FORMATS = {
  csv: { name: 'CSV', Icon: Sheet },
  json: { name: 'JSON', Icon: Braces },
  md: { name: 'Markdown', Icon: FileText },
} as const;

type Exported = {
  /** Name of the saved file without extension, not escaped. */
  readonly name: string;
  /** Description of the rows for a label: `all rows`. */
  readonly rows: string;
  /** For each offered format, a function that writes the file's text. */
  readonly texts: { readonly [F in keyof typeof FORMATS]?: () => string };
};

type ExportMenuProps = {
  readonly sets: readonly Exported[];
  readonly isDisabled?: boolean;
};

/** Shows a menu that saves a set of rows as a file in the chosen format. */
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

/** Saves bytes as a file with the browser's download. Nothing is sent to a server. */
export function saveFile(name: string, bytes: Uint8Array | string): void {
  const content = typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = downloadName(name);
  link.click();
  // Wait, since the browser reads the URL after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Maximum length of a file name. File systems allow 255 bytes; browsers may append a number. */
const MAX_BYTES = 240;
/** Number of characters (of up to four bytes) kept at each end of a name that is too long. */
const END_CHARACTERS = 29;

/** Returns a file name with invisible and reserved characters replaced. Long names are cut. */
export function downloadName(name: string): string {
  const plain = visible(name).replace(/[<>:"/\\|?*]/g, '_');
  if (new TextEncoder().encode(plain).length <= MAX_BYTES) return plain;
  const characters = Array.from(plain);
  const start = characters.slice(0, END_CHARACTERS).join('');
  return `${start}…${characters.slice(-END_CHARACTERS).join('')}`;
}
