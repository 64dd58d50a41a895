import { Download, Printer, RotateCcw } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { ownCode, setLearnerName, useClass } from '#store/lesson/class.ts';
import { showPart, usePresenter } from '#store/lesson/presenter.ts';
import {
  exportProgress,
  importProgress,
  resetProgress,
  useProgress,
} from '#store/lesson/progress.ts';
import { isLinkLocal, pageAddress } from '#store/page/page-address.ts';
import { announce } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton, CopyField } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { FileButton } from '#ui/inputs.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { QrCode } from '#views/parts/QrCode.tsx';
import styles from './Class.module.css';

/** Shows the learner's progress as a code for the teacher, as a file and on paper. */
export function ProgressDialog() {
  const isOpen = usePresenter(({ part }) => part === 'progress');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => showPart(null)}
      title="Progress"
      description="Kept in this browser only. Nothing is sent: show the code, or pass it on yourself."
    >
      <div className="stack gap-3">
        <OwnCode />
        <ProgressFile />
      </div>
    </Dialog>
  );
}

/** Shows the learner's code, to copy or scan. */
function OwnCode() {
  const id = useId();
  const lessons = useProgress((state) => state.lessons);
  const name = useClass((state) => state.name);
  const code = useMemo(() => ownCode(lessons, name), [lessons, name]);
  return (
    <>
      <div className="grid gap-1">
        <label htmlFor={id} className="small soft">
          Name in the code and on the certificate
        </label>
        <input
          id={id}
          type="text"
          className={styles.input}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setLearnerName(event.target.value)}
        />
      </div>
      {code === null ? (
        <p className="soft">There is no code before the first lesson is begun.</p>
      ) : (
        <div className={styles.code}>
          <QrCode
            text={isLinkLocal() ? code : `${pageAddress()}#/?class=${code}`}
            label="QR code of the progress"
          />
          <div className="stack gap-2">
            <CopyField className={styles.text} aria-label="Code" rows={4} value={code} />
            <CopyButton text={code} label="Copy the code" />
          </div>
        </div>
      )}
    </>
  );
}

/** Maximum size of an imported file in bytes: more than a browser stores. */
const MAX_IMPORT = 8_000_000;

/** Returns the text of a file; an empty text if the file cannot be read. */
async function textOf(file: File): Promise<string> {
  try {
    return await file.slice(0, MAX_IMPORT).text();
  } catch {
    return '';
  }
}

/** Shows the buttons for export, import, certificate and reset. */
function ProgressFile() {
  const lessons = useProgress((state) => state.lessons);
  const [isAsking, setAsking] = useState(false);
  const count = Object.keys(lessons).length;
  const hasFinished = Object.values(lessons).some(({ isFinished }) => isFinished);
  const read = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    const added = importProgress(await textOf(file));
    announce(
      added === 0
        ? `${drawnName(file.name)} has no progress in it`
        : `Imported the progress of ${countOf(added, 'lesson')}`,
    );
  };
  const reset = () => {
    resetProgress();
    setAsking(false);
    announce('The progress is reset');
  };
  return (
    <div className={styles.actions}>
      <div className="wrapping gap-2">
        <Button icon={Printer} disabled={!hasFinished} onClick={() => showPart('certificate')}>
          Certificate
        </Button>
        <Button
          icon={Download}
          disabled={count === 0}
          onClick={() => saveFile('btfscope-progress.json', exportProgress())}
        >
          Export
        </Button>
        <FileButton label="Import progress" onFiles={(files) => void read(files)}>
          Import
        </FileButton>
        <Button icon={RotateCcw} disabled={count === 0 || isAsking} onClick={() => setAsking(true)}>
          Reset
        </Button>
      </div>
      {hasFinished ? null : (
        <p className="small muted">The certificate is there once a lesson is finished.</p>
      )}
      {isAsking ? (
        <fieldset className={styles.ask} aria-label="Reset progress">
          <p>Forget the answers to {countOf(count, 'lesson')}? Export them first to keep them.</p>
          <Button size="small" onClick={() => setAsking(false)}>
            Keep
          </Button>
          <Button size="small" variant="danger" onClick={reset}>
            Reset progress
          </Button>
        </fieldset>
      ) : null}
    </div>
  );
}
