import { lazy } from 'react';
import { pageExtension } from '#store/address/page-extension.ts';
import { useConsent } from '#store/address/source-link.ts';
import { isFramed } from '#store/page/host.ts';
import { useSession } from '#store/session/session.ts';
import { LazyPart } from '#ui/LazyPart.tsx';
import { App } from './App.tsx';
import { EmbedApp } from './EmbedApp.tsx';

const ConsentDialog = lazy(async () => ({
  default: (await import('#views/share/ConsentDialog.tsx')).ConsentDialog,
}));

/**
 * Draws the page, or in a frame the view alone, whatever the address says: a click that the other
 * page tricks a person into changes nothing that is kept (`docs/hosting.md`).
 */
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
