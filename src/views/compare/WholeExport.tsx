import { Braces, ChevronDown, Download, FileText, Sheet } from 'lucide-react';
import {
  comparisonCsv,
  comparisonJson,
  comparisonMarkdown,
  type NamedComparison,
} from '#print/comparison.ts';
import { Button } from '#ui/Button.tsx';
import { Menu } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/save-file.ts';

/** The rows that are listed, in their order, as a file. */
export function WholeExport({
  named,
  rows,
}: {
  readonly named: NamedComparison;
  readonly rows: Uint32Array;
}) {
  const save = (ending: string, text: string) =>
    saveFile(`${named.before}-to-${named.after}.${ending}`, text);
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <Download size={14} aria-hidden />
          Export
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
      groups={[
        [
          {
            id: 'csv',
            label: 'CSV, the rows listed',
            icon: <Sheet size={14} aria-hidden />,
            onSelect: () => save('csv', [...comparisonCsv(named, rows)].join('')),
          },
          {
            id: 'json',
            label: 'JSON, the rows listed',
            icon: <Braces size={14} aria-hidden />,
            onSelect: () => save('json', comparisonJson(named, rows)),
          },
          {
            id: 'md',
            label: 'Markdown, the rows listed',
            icon: <FileText size={14} aria-hidden />,
            onSelect: () => save('md', [...comparisonMarkdown(named, rows)].join('')),
          },
        ],
      ]}
    />
  );
}
