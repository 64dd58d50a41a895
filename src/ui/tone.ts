/** Values of the attribute `data-tone`, by which tokens.css sets `--tone` and `--tone-bg`. */

/** Colours of messages and values. */
export type StatusTone = 'neutral' | 'accent' | 'danger' | 'warning' | 'ok' | 'info' | 'muted';

/** Colours of families of BTF kinds; tokens.css names the kinds. */
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

/** Colours of relocated bytes: 1 ELF data, 2 ELF code, 3 CO-RE, 4 debug sections. */
export type RelocTone = 'reloc-1' | 'reloc-2' | 'reloc-3' | 'reloc-4';

export type Tone = StatusTone | KindTone | RelocTone;
