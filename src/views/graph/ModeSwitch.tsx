import { setViewParam } from '#store/view-state.ts';
import { Segmented } from '#ui/Segmented.tsx';

const MODES = [
  { value: 'explore', label: 'Explore' },
  { value: 'paths', label: 'Paths' },
] as const;

/** The types around one, or the ways from one to another. */
export function ModeSwitch({ isPaths }: { readonly isPaths: boolean }) {
  return (
    <Segmented
      label="What to draw"
      options={MODES}
      value={isPaths ? 'paths' : 'explore'}
      onChange={(mode) => setViewParam('graph', 'path', mode === 'paths' ? '' : null)}
    />
  );
}
