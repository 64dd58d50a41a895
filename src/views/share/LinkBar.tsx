import { Link2, X } from 'lucide-react';
import { useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { showCopyLink, useCopyLink } from '#store/session/dialogs.ts';
import { isTypeAlone } from '#store/session/panes.ts';
import {
  activeFile,
  announce,
  hasViews,
  type LinkNotice,
  type LinkOrigin,
  type OpenFile,
  patchFile,
  useSession,
} from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LinkBar.module.css';

/** Shows where a file from a link came from, and how it differs from the link. */
export function LinkBar() {
  const file = useSession(activeFile);
  return file !== null && hasViews(file) ? <News key={file.id} file={file} /> : null;
}

function News({ file }: { readonly file: OpenFile }) {
  const { origin, notice } = file;
  const [isHidden, setHidden] = useState(false);
  const news = notice == null ? [] : noticeTexts(notice, file.sha256);
  const isAlone = useSession((state) => isTypeAlone(state, file));
  const from = origin === undefined || isHidden || isAlone ? null : originText(origin);
  if (from === null && news.length === 0) return null;
  return (
    <section className={styles.bar} data-news={news.length > 0} aria-label="About the link">
      <Link2 size={15} aria-hidden className={styles.icon} />
      <div className="grow break">
        {news.map((sentence) => (
          <p key={sentence} className="medium">
            {sentence}
          </p>
        ))}
        {from === null ? null : <p>{from}</p>}
      </div>
      <IconButton
        label="Hide link details"
        icon={X}
        size="small"
        onClick={() => {
          setHidden(true);
          patchFile(file.id, { notice: null });
        }}
      />
    </section>
  );
}

/** Describes where a file came from. */
export function originText({ name, carries }: LinkOrigin): string {
  const of = name === '' ? '' : ` of ${drawnName(name)}`;
  if (carries.kind === 'file') {
    return `From a link that carries the whole file${name === '' ? '' : `, ${drawnName(name)}`}.`;
  }
  const { typeCount, declaredCount } = carries;
  const declared =
    declaredCount === 0
      ? ''
      : ` ${declaredCount === 1 ? 'One of them is a declaration' : `${grouped(declaredCount)} of them are declarations`}: the types behind those pointers are not included.`;
  return `From a link that carries ${countOf(typeCount, 'type')}${of}.${declared}`;
}

/** Returns the notices about a link. `sha256` is the shown file's hash; null if unknown yet. */
export function noticeTexts(notice: LinkNotice, sha256: string | null): readonly string[] {
  const { expected, sentences } = notice;
  const isOther = expected !== null && sha256 !== null && sha256 !== expected;
  return [
    ...(isOther
      ? [
          `This is not the file of the link (SHA-256 ${expected.slice(0, 12)}…): what has the same name is shown.`,
        ]
      : []),
    ...sentences.map((sentence) => `${drawnName(sentence)}.`),
  ];
}

// Loaded when the dialog first opens, together with the code for QR codes and links.
const CopyLinkDialog = lazyComponent(
  async () => (await import('./CopyLinkDialog.tsx')).CopyLinkDialog,
);

/** Shows the button that opens the dialog with links; hidden while no file is shown. */
export function CopyLinkButton() {
  const file = useSession(activeFile);
  const isOpen = useCopyLink((state) => state.isOpen);
  if (file === null || (file.status.step !== 'ready' && file.status.step !== 'log')) return null;
  return (
    <>
      <IconButton label="Copy link" icon={Link2} onClick={() => showCopyLink(true)} />
      <LazyPart isOpen={isOpen} onError={failed}>
        <CopyLinkDialog file={file} isOpen={isOpen} onClose={() => showCopyLink(false)} />
      </LazyPart>
    </>
  );
}

function failed(): void {
  showCopyLink(false);
  announce("Couldn't load the link dialog");
}
