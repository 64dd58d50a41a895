import { setViewParam } from '#store/view-state.ts';
import { Segmented } from '#ui/Segmented.tsx';
import type { TypeMode } from './type-modes.ts';

const OPTIONS: readonly { readonly value: TypeMode; readonly label: string }[] = [
  { value: 'c', label: 'Declaration' },
  { value: 'layout', label: 'Layout' },
  { value: 'what-if', label: 'What if' },
];

/** How a struct or union is shown; the address keeps it. */
export function TypeModeSwitch({ mode }: { readonly mode: TypeMode }) {
  return (
    <Segmented
      label="Show the type as"
      options={OPTIONS}
      value={mode}
      onChange={(next) => setViewParam('types', 'as', next === 'c' ? null : next)}
    />
  );
}
