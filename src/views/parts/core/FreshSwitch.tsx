import { candidatesState, useFreshCandidates } from '#store/kernels/core-view.ts';
import { hint } from '#ui/hints.tsx';
import { Checkbox } from '#ui/inputs.tsx';

const ABOUT =
  'libbpf keeps one list of candidates per local type and reduces it to those that matched, so earlier records change later results. With this option, every record starts with the full list.';

/** Resets the list of candidates for every record, which libbpf does not do. */
export function FreshSwitch() {
  const fresh = useFreshCandidates();
  return (
    <Checkbox
      {...hint(ABOUT)}
      isChecked={fresh}
      onChange={(isOn) => candidatesState.set({ candidates: isOn ? 'fresh' : 'kept' })}
    >
      Reset candidates per record
    </Checkbox>
  );
}
