/** Requests of links and other pages that need the person's consent, one at a time. */
import { create } from 'zustand';

export type ConsentRequest =
  /** To fetch a file from the page's own server. */
  | { readonly kind: 'source'; readonly origin: string; readonly address: string }
  /** To open a file that another page sends. */
  | {
      readonly kind: 'handOver';
      /** Origin of the other page; empty if it has none. */
      readonly origin: string;
      /** Raw text. */
      readonly name: string;
      /** Bytes. */
      readonly size: number;
    };

type ConsentState = {
  readonly request: ConsentRequest | null;
  readonly answer: (yes: boolean) => void;
};

const SILENT = { request: null, answer: () => undefined };

export const useConsent = create<ConsentState>(() => SILENT);

/**
 * Asks the person. Resolves to false at once while another request is open, so that a page cannot
 * flood the person.
 */
export function askConsent(request: ConsentRequest): Promise<boolean> {
  if (useConsent.getState().request !== null) return Promise.resolve(false);
  return new Promise((resolve) => {
    useConsent.setState({
      request,
      answer: (yes) => {
        useConsent.setState(SILENT);
        resolve(yes);
      },
    });
  });
}
