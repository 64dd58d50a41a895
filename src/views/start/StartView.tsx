import { FileUp, Lock } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { openAllRemembered, openRemembered } from '#store/address/file-keys.ts';
import { pageExtension } from '#store/address/page-extension.ts';
import { forget, forgetAll, listRemembered, type Remembered } from '#store/kept/kept-files.ts';
import { annotatedFiles, forgetNotes } from '#store/kept/kept-notes.ts';
import { announce } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { FileButton } from '#ui/inputs.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { enterWorkbench } from '#views/workbench/view.ts';
import { keptDeclarations } from '#views/workbench/workbench-state.ts';
import { StartSection } from './StartSection.tsx';
import styles from './StartView.module.css';

/** Shows the start page: purpose, recent files, questions, an example drawn live, all examples. */
export function StartView({ onOpen }: { readonly onOpen: () => void }) {
  const { StartSection: Added } = pageExtension();
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <Hero onOpen={onOpen} />
        <RememberedFiles />
        <Questions />
        <LazyPart onError={() => undefined}>
          <LiveExample />
        </LazyPart>
        <Added />
        <LazyPart onError={() => announce("Couldn't load the examples")}>
          <Examples />
        </LazyPart>
      </div>
    </div>
  );
}

const OPENS = [
  '.o',
  '.ko',
  'vmlinux',
  'raw BTF',
  '.a',
  '.deb',
  'gzip',
  'xz',
  'zstd',
  'bzip2',
  'lz4',
  'eCOFF',
  'log',
];

/** Shows the purpose of the page and the button that opens a file. */
function Hero({ onOpen }: { readonly onOpen: () => void }) {
  const { StartAction } = pageExtension();
  return (
    <div className={styles.hero}>
      <div className="shrink">
        <h1 className={styles.title}>See what is inside a BPF object</h1>
        <p className={styles.text}>
          <b>You write BPF programs?</b> See on which kernels yours loads, why the others refuse it,
          and what to change.
        </p>
        <p className={styles.text}>
          <b>You work on kernels?</b> See every type as C and byte by byte, and what changes from
          release to release.
        </p>
        <p className={styles.promise}>
          <Lock size={14} aria-hidden />
          Files stay on this computer.
        </p>
        <StartAction />
      </div>
      <div className={styles.target}>
        <span className={styles.icon}>
          <FileUp size={22} aria-hidden />
        </span>
        <p className={styles.drop}>Drop files anywhere on this page</p>
        <Button variant="primary" className={styles.open} onClick={onOpen}>
          Open file
        </Button>
        <ul className={styles.kinds} aria-label="What can be opened">
          {OPENS.map((kind) => (
            <li key={kind} className={styles.kind}>
              {kind}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const PasteLog = lazyComponent(
  async () => (await import('#views/parts/log/PasteLog.tsx')).PasteLog,
);
const LiveExample = lazyComponent(async () => (await import('./LiveExample.tsx')).LiveExample);
const Examples = lazyComponent(async () => (await import('./Examples.tsx')).Examples);
const questions = () => import('./start-tasks.ts');

/** Shows frequent questions with links to the answers. */
function Questions() {
  return (
    <ul className={styles.questions} aria-label="Questions">
      <li className={styles.question}>
        <h2 className={styles.asked}>Will my program load on my kernels?</h2>
        <p className="soft pretty">
          Choose the object and the BTF of your kernels (<code>/sys/kernel/btf/vmlinux</code>).
        </p>
        <div className="row wrap gap-2">
          <FileButton
            label="Choose an object and kernels"
            multiple
            onFiles={(files) => void questions().then((ask) => ask.showWhetherItLoads(files))}
          >
            Choose files
          </FileButton>
          <Button
            variant="quiet"
            onClick={() => void questions().then((ask) => ask.showLoadExample())}
          >
            Show an example
          </Button>
        </div>
      </li>
      <li className={styles.question}>
        <h2 className={styles.asked}>What does this log mean?</h2>
        <p className="soft pretty">Paste what libbpf, cilium/ebpf, aya or the verifier wrote.</p>
        <div className={styles.paste}>
          <LazyPart onError={() => announce("Couldn't load the box for logs")}>
            <PasteLog of={null} />
          </LazyPart>
        </div>
      </li>
    </ul>
  );
}

/** Shows the files and texts that the browser keeps; hidden if there are none. */
function RememberedFiles() {
  const [files, setFiles] = useState<readonly Remembered[]>([]);
  const [declarations, setDeclarations] = useState(keptDeclarations.read);
  const [annotated, setAnnotated] = useState(annotatedFiles);
  const refresh = useCallback(async () => {
    setDeclarations(keptDeclarations.read());
    setAnnotated(annotatedFiles());
    setFiles(await listRemembered());
  }, []);
  useEffect(() => void refresh(), [refresh]);
  if (files.length === 0 && declarations === null && annotated === 0) return null;

  const open = async (file: Remembered) => {
    if (!(await openRemembered(file))) await refresh();
  };
  const remove = async (what: string, act: () => unknown) => {
    await act();
    announce(`Removed ${what}`);
    await refresh();
  };
  const removeFile = (file: Remembered) =>
    remove(visible(file.name), () => {
      forgetNotes(file.sha256);
      return forget(file.sha256);
    });
  const removeText = () => remove('the workbench text', () => keptDeclarations.write(null));
  const removeNotes = () => remove('all notes', () => forgetNotes(null));
  const removeAll = () =>
    remove('all recent files, notes and the workbench text', () => {
      forgetNotes(null);
      keptDeclarations.write(null);
      return forgetAll();
    });
  return (
    <StartSection
      title="Recent files"
      about="Copies stored only in this browser, so that links to these files work again."
      actions={
        <>
          {files.length > 1 ? (
            <Button variant="quiet" size="small" onClick={() => void openAllRemembered(files)}>
              Open all
            </Button>
          ) : null}
          <Button variant="quiet" size="small" onClick={() => void removeAll()}>
            Remove all
          </Button>
        </>
      }
    >
      <ul className={styles.list}>
        {files.map((file) => (
          <KeptRow
            key={file.sha256}
            name={file.name}
            size={file.size}
            date={new Date(file.openedAt)}
            onOpen={() => void open(file)}
            onRemove={() => void removeFile(file)}
          />
        ))}
        {declarations === null ? null : (
          <KeptRow
            name="Workbench text"
            size={new TextEncoder().encode(declarations.text).length}
            date={null}
            onOpen={() => void enterWorkbench()}
            onRemove={() => void removeText()}
          />
        )}
        {annotated === 0 ? null : (
          <KeptRow
            name={`Notes on ${countOf(annotated, 'file')}`}
            size={null}
            date={null}
            onOpen={null}
            onRemove={() => void removeNotes()}
          />
        )}
      </ul>
    </StartSection>
  );
}

function KeptRow(props: {
  readonly name: string;
  /** Size in bytes; null if the size is not shown. */
  readonly size: number | null;
  readonly date: Date | null;
  /** Opens the file; null if the file cannot be opened. */
  readonly onOpen: (() => void) | null;
  readonly onRemove: () => void;
}) {
  const { name, size, date, onOpen, onRemove } = props;
  return (
    <li className={styles.file}>
      <span className={styles.name}>
        <Name text={name} otherwise="(no name)" />
      </span>
      <span className={styles.size}>{size === null ? '' : sizeText(size)}</span>
      <time className={styles.date} dateTime={date?.toISOString()}>
        {date?.toLocaleDateString(undefined, { dateStyle: 'medium' })}
      </time>
      <span className="gap-1 flex">
        {onOpen === null ? null : (
          <Button size="small" aria-label={`Open ${visible(name)}`} onClick={onOpen}>
            Open
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          aria-label={`Remove ${visible(name)}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </span>
    </li>
  );
}
