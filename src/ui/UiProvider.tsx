import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';

/**
 * Wraps the app once. Tooltips share their delay, and the primitives write no
 * `<style>` element, which the page's Content-Security-Policy would refuse.
 */
export function UiProvider({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={400}>{children}</Tooltip.Provider>
    </CSPProvider>
  );
}
