import { pageExtension } from '#store/page-extension.ts';
import { useSession } from '#store/session.ts';
import { App } from './App.tsx';
import { EmbedApp } from './EmbedApp.tsx';

/** The page as a person opens it, or as another page shows it in a frame. */
export function Page() {
  const isEmbedded = useSession(({ embed }) => embed);
  const { Page: Around } = pageExtension();
  return <Around>{isEmbedded ? <EmbedApp /> : <App />}</Around>;
}
