/** Tones of tokens.css: values of `data-tone`, which sets `--tone` and `--tone-bg`. */

/** Tones of messages and values. */
export type StatusTone = 'neutral' | 'accent' | 'danger' | 'warning' | 'ok' | 'info' | 'muted';

/** Tones by family of BTF kinds, explained in tokens.css. */
export type KindTone =
  | 'kind-int'
  | 'kind-ptr'
  | 'kind-array'
  | 'kind-composite'
  | 'kind-enum'
  | 'kind-func'
  | 'kind-modifier'
  | 'kind-data'
  | 'kind-fwd'
  | 'kind-tag'
  | 'kind-unknown';

/** Relocated bytes: 1 ELF data, 2 ELF code, 3 CO-RE, 4 debug. */
export type RelocTone = 'reloc-1' | 'reloc-2' | 'reloc-3' | 'reloc-4';

export type Tone = StatusTone | KindTone | RelocTone;
