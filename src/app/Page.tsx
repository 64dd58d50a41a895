import { useLinks } from '#store/link/link-state.ts';
import { App } from './App.tsx';
import { EmbedApp } from './EmbedApp.tsx';

/** The page as a person opens it, or as another page shows it in a frame. */
export function Page() {
  const isEmbedded = useLinks(({ embed }) => embed);
  return isEmbedded ? <EmbedApp /> : <App />;
}
