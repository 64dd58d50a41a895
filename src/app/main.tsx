/** Where the page starts. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startAddressSync } from '#store/address-sync.ts';
import { isFramed } from '#store/framed.ts';
import { restoreFiles } from '#store/open-files.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import './modules.ts';
import { startHandOver } from './hand-over.ts';
import { keepForOffline } from './offline.ts';
import { Page } from './Page.tsx';
import { applyTheme } from './theme.ts';
import { trustOwnScripts } from './trusted-types.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');

trustOwnScripts();
applyTheme();
startAddressSync(window);
if (!isFramed()) void restoreFiles(window.location.hash);
startHandOver(window);
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <Page />
    </UiProvider>
  </StrictMode>,
);
keepForOffline();
