import { FileUp, Lock, SquarePen } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { openAllRemembered, openRemembered } from '#store/address/file-keys.ts';
import { pageExtension } from '#store/address/page-extension.ts';
import { forget, forgetAll, listRemembered, type Remembered } from '#store/kept/kept-files.ts';
import { annotatedFiles, forgetNotes } from '#store/kept/kept-notes.ts';
import { loadSamples, openSample, type Sample } from '#store/session/samples.ts';
import { announce } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { FileButton, Segmented } from '#ui/inputs.tsx';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { enterWorkbench } from '#views/workbench/view.ts';
import { keptDeclarations } from '#views/workbench/workbench-state.ts';
import { StartSection } from './StartSection.tsx';
import styles from './StartView.module.css';

/** Shows the start page: purpose, recent files, examples, sections of extensions. */
export function StartView({ onOpen }: { readonly onOpen: () => void }) {
  const { StartSection: Added } = pageExtension();
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <Hero onOpen={onOpen} />
        <Questions />
        <WorkbenchInvite />
        <RememberedFiles />
        <LazyPart onError={() => undefined}>
          <Vignettes />
        </LazyPart>
        <Added />
        <Examples />
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
        <p className="mono bold accent size-14">btfscope</p>
        <h1 className={styles.title}>See what is inside a BPF object</h1>
        <p className={styles.text}>
          Its types, bytes, code, relocations and CO-RE accesses, side by side. A selection in one
          view is shown in all.
        </p>
        <p className={styles.promise}>
          <Lock size={14} aria-hidden />
          Files stay on this computer. Nothing is uploaded.
        </p>
        <StartAction />
      </div>
      <div className={styles.target}>
        <span className={styles.icon}>
          <FileUp size={22} aria-hidden />
        </span>
        <p className={styles.drop}>Drop a file anywhere on this page</p>
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
const Vignettes = lazyComponent(async () => (await import('./Vignettes.tsx')).Vignettes);
const questions = () => import('./start-tasks.ts');

/** Shows frequent questions with links to the answers. */
function Questions() {
  return (
    <ul className={styles.questions} aria-label="Questions">
      <li className={styles.question}>
        <h2 className={styles.asked}>Will my program load on my kernels?</h2>
        <p className="soft pretty">
          Choose the object and the BTF of one or more kernels (<code>/sys/kernel/btf/vmlinux</code>
          ). For each program the answer is libbpf’s, with the reason.
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
        <p className="soft pretty">
          Paste what libbpf, cilium/ebpf, aya or the verifier wrote. Its lines are explained, and
          the one that tells why it failed is found.
        </p>
        <div className={styles.paste}>
          <LazyPart onError={() => announce("Couldn't load the box for logs")}>
            <PasteLog of={null} />
          </LazyPart>
        </div>
      </li>
    </ul>
  );
}

/** Shows a link to the workbench. */
function WorkbenchInvite() {
  return (
    <section className={styles.invite} aria-label="Workbench">
      <pre className={styles.code} aria-hidden="true">
        <span>struct event {'{'} </span>
        <span>u64 ts; u8 cpu; </span>
        <span>{'}'};</span>
        <span className="muted"> → </span>
        <span className={styles.raw}>[1] STRUCT 'event' size=16 vlen=2</span>
      </pre>
      <p className={styles.workbenchInviteText}>No file? Type a struct and see its BTF live.</p>
      <Button onClick={() => void enterWorkbench()} icon={SquarePen}>
        Open the workbench
      </Button>
    </section>
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

const ORDERS = { little: 'Little-endian', big: 'Big-endian' } as const;

/** Shows the examples as cards. */
function Examples() {
  const [samples, setSamples] = useState<readonly Sample[] | null>(null);
  const [order, setOrder] = useState<ByteOrder>('little');
  useEffect(() => {
    let isShown = true;
    void loadSamples().then((list) => {
      if (isShown) setSamples(list);
    });
    return () => {
      isShown = false;
    };
  }, []);
  const alpha = ecoffSamples(samples ?? []);
  return (
    <>
      <StartSection
        title="Examples"
        about="Small objects with their C source, one topic each."
        actions={
          <Segmented label="Byte order" options={ORDERS} value={order} onChange={setOrder} />
        }
      >
        {samples?.length === 0 ? (
          <p className="soft">The examples could not be fetched from the server.</p>
        ) : (
          <Cards samples={samplesIn(samples ?? [], order)} />
        )}
      </StartSection>
      {alpha.length === 0 ? null : (
        <StartSection
          title="Alpha eCOFF"
          about="Objects of Tru64 UNIX: the examples of its relocation document, from plain addresses to stack expressions."
        >
          <Cards samples={alpha} />
        </StartSection>
      )}
    </>
  );
}

function Cards({ samples }: { readonly samples: readonly Sample[] }) {
  return (
    <ul className={styles.grid}>
      {samples.map((sample) => (
        <li key={sample.file} className="grid">
          <Card sample={sample} />
        </li>
      ))}
    </ul>
  );
}

function Card({ sample }: { readonly sample: Sample }) {
  const aboutId = `example-${sample.file}`;
  return (
    <button
      type="button"
      className={styles.card}
      aria-label={`Open example ${sample.title}`}
      aria-describedby={aboutId}
      onClick={() => void open(sample)}
    >
      <span className="baseline-row gap-3 spread">
        <span className="bold">{shortTitle(sample)}</span>
        <span className="rigid tiny muted">{sizeText(sample.size)}</span>
      </span>
      <span id={aboutId} className={styles.about}>
        {sample.about}
      </span>
      <span className={styles.foot}>
        {sampleCounts(sample).map((count) => (
          <span key={count} className="rigid tiny muted">
            {count}
          </span>
        ))}
      </span>
    </button>
  );
}

type ByteOrder = Sample['endian'];

async function open(sample: Sample): Promise<void> {
  if (sample.kernels.length === 0) await openSample(sample.file);
  else await (await questions()).openWithKernels(sample);
}

/** Returns the ELF examples of one byte order, in their order, without kernels of an example. */
export function samplesIn(samples: readonly Sample[], order: ByteOrder): Sample[] {
  const kernels = new Set(samples.flatMap((sample) => sample.kernels));
  return samples.filter(
    (sample) => sample.endian === order && !isEcoff(sample) && !kernels.has(sample.file),
  );
}

/** Returns the Alpha eCOFF examples, in the order of the list. */
export function ecoffSamples(samples: readonly Sample[]): Sample[] {
  return samples.filter(isEcoff);
}

function isEcoff({ file }: Sample): boolean {
  return file.endsWith('.ecoff');
}

/** Returns the title without the byte order, which the user chooses above the cards. */
export function shortTitle({ title }: Sample): string {
  return title.replace(/ \(big-endian\)$/, '');
}

/** Returns the counts that are not 0: `75 types`, `96 relocations`, `15 CO-RE`. */
export function sampleCounts({ types, relocations, core }: Sample): string[] {
  return [
    types > 0 ? countOf(types, 'type') : '',
    relocations > 0 ? countOf(relocations, 'relocation') : '',
    core > 0 ? `${grouped(core)} CO-RE` : '',
  ].filter((part) => part !== '');
}
