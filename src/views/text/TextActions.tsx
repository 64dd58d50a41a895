import { Download } from 'lucide-react';
import { visible } from '#bytes/text.ts';
import type { WholeText } from '#store/texts.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { saveFile } from '#views/parts/save-file.ts';

/** Takes the text out of the page: all of it, as the tool prints it. Nothing while there is none. */
export function TextActions({
  text,
  fileName,
}: {
  readonly text: WholeText | null;
  readonly fileName: string;
}) {
  if (text === null) return null;
  const { bytes } = text;
  return (
    <>
      <CopyButton text={() => new TextDecoder().decode(bytes)} label="Copy" />
      <Button
        variant="quiet"
        size="small"
        title={`Save as ${visible(fileName)}`}
        onClick={() => saveFile(fileName, bytes)}
      >
        <Download size={14} aria-hidden />
        Download
      </Button>
    </>
  );
}
