/** Questions that a link or another page raises, and that only a person may answer. One at a time. */
import { create } from 'zustand';

export type ConsentRequest =
  /** May a file be fetched from the page's own server? */
  | { readonly kind: 'source'; readonly origin: string; readonly address: string }
  /** May a file be taken from another page? */
  | {
      readonly kind: 'handOver';
      /** As the browser says it; empty for a page that has none. */
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

/** Asks the person. False at once while another request is open: a page that asks and asks is not heard. */
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
