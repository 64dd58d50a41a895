import { useEffect, useEffectEvent } from 'react';
import type { Step } from './next-relocation.ts';

/** `n`, `p` and `f` anywhere in the view but in a text field. */
export function useStepKeys(onStep: (step: Step) => void, onFind: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) return;
    if (event.key === 'n') onStep('next');
    else if (event.key === 'p') onStep('previous');
    else if (event.key === 'f') onFind();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type="radio"]), textarea, select')
  );
}
