import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { HintLayer } from './hints.tsx';

/**
 * Wraps the app once. It shows hints, and the primitives write no `<style>` element,
 * which the page's Content-Security-Policy would refuse.
 */
export function UiProvider({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <HintLayer />
    </CSPProvider>
  );
}
