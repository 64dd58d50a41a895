/** Questions that a link or another page raises, and that only a person may answer. One at a time. */
import { create } from 'zustand';

export type Question =
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

type AskState = { readonly question: Question | null; readonly answer: (yes: boolean) => void };

const SILENT = { question: null, answer: () => undefined };

export const useQuestion = create<AskState>(() => SILENT);

/** Asks the person. False at once while another question is open: a page that asks and asks is not heard. */
export function ask(question: Question): Promise<boolean> {
  if (useQuestion.getState().question !== null) return Promise.resolve(false);
  return new Promise((resolve) => {
    useQuestion.setState({
      question,
      answer: (yes) => {
        useQuestion.setState(SILENT);
        resolve(yes);
      },
    });
  });
}
