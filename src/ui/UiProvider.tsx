import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { HintLayer } from './hints.tsx';

/** Wraps the app: shows hints and stops the library's `<style>` elements, which the CSP forbids. */
export function UiProvider({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <HintLayer />
    </CSPProvider>
  );
}
