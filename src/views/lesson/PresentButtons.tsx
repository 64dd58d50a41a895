import { Presentation, Printer } from 'lucide-react';
import { useLesson } from '#store/lesson/lesson-state.ts';
import { showHandout, startPresenting } from '#store/lesson/presenter.ts';
import { IconButton } from '#ui/Button.tsx';

/** The lesson before an audience, and on paper. */
export function PresentButtons() {
  const isPresenting = useLesson((state) => state.isPresenting);
  if (isPresenting) return null;
  return (
    <>
      <IconButton size="small" label="Present" icon={Presentation} onClick={startPresenting} />
      <IconButton size="small" label="Handout" icon={Printer} onClick={() => showHandout(true)} />
    </>
  );
}
