import { FileSearch } from 'lucide-react';
import { cancelOpening } from '#store/files.ts';
import type { OpenFile } from '#store/session.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Name } from '#views/parts/Name.tsx';
import { sizeText } from '#views/parts/number-text.ts';
import { StatePage } from './StatePage.tsx';

/** How far the opening of a file is, with a way out. */
export function OpeningView({ file }: { readonly file: OpenFile }) {
  if (file.status.step !== 'opening') return null;
  const { what, done, total } = file.status;
  return (
    <StatePage
      icon={<FileSearch size={20} aria-hidden />}
      tone="accent"
      title={
        <>
          Opening <Name text={file.name} otherwise="a file" />
        </>
      }
      text={`${sizeText(file.size)}, read in this tab`}
    >
      <ProgressBar
        label={sentence(what)}
        fraction={total > 0 ? done / total : null}
        onCancel={() => cancelOpening(file.id)}
      />
    </StatePage>
  );
}

function sentence(step: string): string {
  return `${step.charAt(0).toUpperCase()}${step.slice(1)}…`;
}
