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
  /** File name without extension. Raw text. */
  readonly name: string;
  /** Describes the rows in a label: `all rows`. */
  readonly rows: string;
  /** Writes the file in each offered format. */
  readonly texts: { readonly [F in keyof typeof FORMATS]?: () => string };
};

type ExportMenuProps = {
  readonly sets: readonly Exported[];
  readonly isDisabled?: boolean;
};

/** Menu that saves each set of rows as a file, in the chosen format. */
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

/** Saves bytes as a file with the browser's download. No byte is sent to a server. */
export function saveFile(name: string, bytes: Uint8Array | string): void {
  const content = typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = downloadName(name);
  link.click();
  // The browser reads the URL after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** File systems allow 255 bytes, and browsers append a number to an existing name. */
const MAX_BYTES = 240;
/** Characters, of up to four bytes, at either end of a longer name. */
const END_CHARACTERS = 29;

/**
 * Replaces invisible and direction-turning characters (`\u202egpj.exe` looks like another type
 * of file) and characters that file systems reserve. A long name loses its middle, not its ending.
 */
export function downloadName(name: string): string {
  const plain = visible(name).replace(/[<>:"/\\|?*]/g, '_');
  if (new TextEncoder().encode(plain).length <= MAX_BYTES) return plain;
  const characters = Array.from(plain);
  const start = characters.slice(0, END_CHARACTERS).join('');
  return `${start}…${characters.slice(-END_CHARACTERS).join('')}`;
}
