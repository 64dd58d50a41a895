/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Formats of the lines that the kernel's verifier and the code it calls print (kernel/bpf/*.c), with
 * the rule that each is printed for. `messages.tsv` is the table: one row per format, as in the
 * kernel's source, with `\n` written out, and the first and last of the read kernels that have it; both are empty for a text of reports only.
 */

/** A format. Each rule has one class and one card, `cards/RULE.md`. */
export type MessageFormat = {
  readonly format: string;
  readonly class: string;
  readonly rule: string;
  readonly first: string;
  readonly last: string;
};

const [TEXT = ''] = Object.values(
  import.meta.glob<string>('./messages.tsv', { query: '?raw', import: 'default', eager: true }),
);

/** Class of lines that the verifier prints about programs that it accepts, too. */
export const INFORMATION = 'information';

export const MESSAGES: readonly MessageFormat[] = TEXT.trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [format = '', cls = '', rule = '', first = '', last = ''] = row.split('\t');
    return { format, class: cls, rule, first, last };
  });
