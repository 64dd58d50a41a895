/** The tones of tokens.css, by the name that goes into `data-tone`. A tone sets `--tone` and `--tone-bg`. */

/** What a message or a value is about. */
export type StatusTone = 'neutral' | 'accent' | 'danger' | 'warning' | 'ok' | 'info' | 'muted';

/** One per family of BTF kinds; see the comment on colours in tokens.css. */
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
