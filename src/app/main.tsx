import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startAddressSync } from '#store/address/address-sync.ts';
import { restoreFiles } from '#store/address/open-files.ts';
import { kept } from '#store/kept/local-storage.ts';
import { editorOf, isFramed } from '#store/page/host.ts';
import { keepTables, TABLES_SCHEMA } from '#ui/table-settings.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import './modules.ts';
import './views.ts';
import { keepForOffline } from './offline.ts';
import { Page } from './Page.tsx';
import { applyTheme } from './theme.ts';
import { trustOwnScripts } from './trusted-types.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');

trustOwnScripts();
applyTheme();
keepTables(kept('btfscope-tables', TABLES_SCHEMA));
startAddressSync(window);
if (!isFramed()) void restoreFiles(window.location.hash);
// The code that receives files is needed only if an editor or another page can send files.
if (editorOf(window) !== undefined || window.opener !== null || window.parent !== window) {
  void import('./hand-over.ts').then(({ startHandOver }) => startHandOver(window));
}
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <Page />
    </UiProvider>
  </StrictMode>,
);
// An editor stores the page without a service worker.
if (editorOf(window) === undefined) keepForOffline();
