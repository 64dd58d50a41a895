import { Download } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { saveFile } from '#views/parts/save-file.ts';
import styles from './DeclarationSection.module.css';

type DeclarationDownloadProps = { readonly fileName: string; readonly text: string };

/** Takes the text out of the page as a file. */
export function DeclarationDownload({ fileName, text }: DeclarationDownloadProps) {
  return (
    <div className={styles.download}>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Download ${fileName}`}
        onClick={() => saveFile(fileName, text.endsWith('\n') ? text : `${text}\n`)}
      >
        <Download size={14} aria-hidden />
        <span className={styles.fileName}>{fileName}</span>
      </Button>
    </div>
  );
}
