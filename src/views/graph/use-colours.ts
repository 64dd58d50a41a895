import { type RefObject, useEffect, useState } from 'react';
import type { GraphColours } from '#print/graph-svg.ts';
import { kindStyle } from '#views/parts/KindBadge.tsx';

/** Returns the colours that the design tokens have at an element, for painting on a canvas. */
export function readColours(place: Element): GraphColours {
  const probe = document.createElement('span');
  place.append(probe);
  const read = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const tones = new Map<string, { readonly text: string; readonly ground: string }>();
  for (const tone of TONES)
    tones.set(tone, { text: read(`--${tone}`), ground: read(`--${tone}-bg`) });
  const dim = read('--text-3');
  const chip = read('--surface-2');
  const colours: GraphColours = {
    ground: read('--surface-0'),
    box: read('--surface-1'),
    border: read('--border-strong'),
    text: read('--text-1'),
    dim,
    chip,
    edge: read('--border-control'),
    back: read('--kind-data'),
    lit: read('--accent'),
    tone: (kind) => tones.get(kindStyle(kind).tone) ?? { text: dim, ground: chip },
  };
  probe.remove();
  return colours;
}

const TONES = [
  'kind-int',
  'kind-ptr',
  'kind-array',
  'kind-composite',
  'kind-enum',
  'kind-func',
  'kind-modifier',
  'kind-data',
  'kind-fwd',
  'kind-tag',
  'kind-unknown',
];

/** Returns the colours at an element, also after a change of theme; null before it is drawn. */
export function useColours(place: RefObject<Element | null>): GraphColours | null {
  const [colours, setColours] = useState<GraphColours | null>(null);
  useEffect(() => {
    const refresh = () => {
      if (place.current !== null) setColours(readColours(place.current));
    };
    refresh();
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', refresh);
    const observer = new MutationObserver(refresh);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      scheme.removeEventListener('change', refresh);
      observer.disconnect();
    };
  }, [place]);
  return colours;
}
