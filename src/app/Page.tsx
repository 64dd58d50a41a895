import { useLesson } from '#store/lesson/lesson-state.ts';
import { usePresenter } from '#store/lesson/presenter.ts';
import { useLinks } from '#store/link-state.ts';
import { App } from './App.tsx';
import { EmbedApp } from './EmbedApp.tsx';
import { HandoutHost } from './HandoutHost.tsx';

/** The page as a person opens it, as another page shows it in a frame, or a lesson as it is printed. */
export function Page() {
  const isEmbedded = useLinks(({ embed }) => embed);
  const hasLesson = useLesson(({ open }) => open?.lesson != null);
  const isHandout = usePresenter((state) => state.isHandout);
  if (isHandout && hasLesson) return <HandoutHost />;
  return isEmbedded ? <EmbedApp /> : <App />;
}
