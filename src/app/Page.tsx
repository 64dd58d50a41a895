import { ExternalLink } from 'lucide-react';
import { useLayoutEffect, useMemo } from 'react';
import { drawnName } from '#bytes/text.ts';
import { formatAddress, parseAddress } from '#store/address/address.ts';
import { addressNow } from '#store/address/navigation.ts';
import { pageExtension } from '#store/address/page-extension.ts';
import { useConsent } from '#store/address/source-link.ts';
import { isFramed } from '#store/page/host.ts';
import { activeFile, type OpenFile, session, useSession } from '#store/session/session.ts';
import { viewFor } from '#store/session/views.ts';
import { LazyPart, lazyComponent } from '#ui/LazyPart.tsx';
import { LinkBar } from '#views/share/LinkBar.tsx';
import { App } from './App.tsx';
import { Logo } from './HeaderButtons.tsx';
import styles from './Page.module.css';
import { Stage } from './Stage.tsx';
import { applyTheme } from './theme.ts';
import { ViewPanel } from './ViewPanel.tsx';

const ConsentDialog = lazyComponent(
  async () => (await import('#views/share/ConsentDialog.tsx')).ConsentDialog,
);

/** Draws the page. In a frame, draws only the view: the other page could misdirect clicks. */
export function Page() {
  const isEmbedded = useSession(({ embed }) => embed !== false);
  const { Page: Around } = pageExtension();
  const { request, answer } = useConsent();
  const refuse = () => answer(false);
  return (
    <Around>
      {isEmbedded || isFramed() ? <EmbedApp /> : <App />}
      <LazyPart isOpen={request !== null} onError={refuse} onDismiss={refuse}>
        <ConsentDialog />
      </LazyPart>
    </Around>
  );
}

/** Draws only the view, with a link to the whole page. */
function EmbedApp() {
  const file = useSession(activeFile);
  const address = useMemo(() => wholePage(file), [file]);
  const status = useSession((state) => state.status);
  const isWanted = useSession((state) => state.wanted !== null);
  const embed = useSession((state) => state.embed);
  useLayoutEffect(() => applyTheme(embed), [embed]);
  const view = file?.status.step === 'ready' ? viewFor(file.status.model, file.view) : null;
  return (
    <div className={styles.app}>
      <LinkBar />
      <main className={styles.main}>
        {file !== null && view !== null ? (
          <>
            <h1 className="visually-hidden">{drawnName(file.name)}</h1>
            <ViewPanel key={`${file.id} ${view}`} view={view} />
          </>
        ) : file === null && !isWanted ? (
          <p className={styles.none}>This frame shows no file.</p>
        ) : (
          <Stage onOpen={() => window.open(address, '_blank', 'noopener')} />
        )}
      </main>
      <footer className={styles.foot}>
        <p className="shrink soft ellipsis">
          {file === null ? '' : drawnName(file.origin?.name || file.name)}
        </p>
        <a className={styles.link} href={address} target="_blank" rel="noopener">
          <Logo />
          Open in btfscope
          <ExternalLink size={13} aria-hidden />
        </a>
        <p role="status" className="visually-hidden">
          {status}
        </p>
      </footer>
    </div>
  );
}

/** Returns the address of the current place without `embed`, to open outside of the frame. */
function wholePage(file: OpenFile | null): string {
  const address =
    file === null ? parseAddress(window.location.hash) : addressNow(session.getState());
  return formatAddress({ ...address, embed: false });
}
