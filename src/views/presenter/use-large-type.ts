import { useEffect, useSyncExternalStore } from 'react';
import { usePresenter } from '#store/lesson/presenter.ts';
import { presentingScale } from './presenting-scale.ts';

/** Puts the high contrast and the sizes of presenting on the document, while it is drawn. */
export function useLargeType(): void {
  const largerBy = usePresenter((state) => state.largerBy);
  const size = useSyncExternalStore(onResize, windowSize);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.presenting = '';
    return () => {
      delete root.dataset.presenting;
      root.style.removeProperty('--presenting-tool');
      root.style.removeProperty('--presenting-text');
    };
  }, []);
  useEffect(() => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const { tool, text } = presentingScale(width, height, largerBy);
    const { style } = document.documentElement;
    style.setProperty('--presenting-tool', `${tool}`);
    style.setProperty('--presenting-text', `${text}`);
  }, [size, largerBy]);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function windowSize(): string {
  return `${innerWidth}x${innerHeight}`;
}
