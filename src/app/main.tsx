/** Where the page starts. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startAddressSync } from '#store/address-sync.ts';
import { hashOfSearch, registerLessons } from '#store/lesson/start-lesson.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { startHandOver } from './hand-over.ts';
import { keepForOffline } from './offline.ts';
import { Page } from './Page.tsx';
import { applyTheme } from './theme.ts';
import { trustOwnScripts } from './trusted-types.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');

// A page that teaches links to `?lesson=…`, which reads better than what stands behind `#`.
const asked = hashOfSearch(location.search, location.hash);
if (asked !== null) history.replaceState(null, '', location.pathname + asked);

trustOwnScripts();
applyTheme();
registerLessons();
startAddressSync(window);
startHandOver(window);
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <Page />
    </UiProvider>
  </StrictMode>,
);
keepForOffline();
