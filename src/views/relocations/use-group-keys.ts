import { useEffect, useEffectEvent } from 'react';

/** `p` and `n` anywhere in the view but in a text field: to the entry before and behind in the group. */
export function useGroupKeys(onPrevious: () => void, onNext: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) return;
    if (event.key === 'p') onPrevious();
    else if (event.key === 'n') onNext();
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
