import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { KindTone } from '#ui/tone.ts';
import styles from './KindBadge.module.css';

type KindBadgeProps = {
  readonly kind: number;
  readonly decorative?: boolean;
};

/** Shows the letter of a BTF kind on its colour. `decorative` hides it from screen readers. */
export function KindBadge({ kind, decorative = false }: KindBadgeProps) {
  const { letter, tone, name } = kindStyle(kind);
  const aria = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name };
  return (
    <span className={styles.badge} data-tone={tone} title={name} {...aria}>
      {letter}
    </span>
  );
}

type KindStyle = {
  /** One or two letters that distinguish the kind without its colour. */
  readonly letter: string;
  readonly tone: KindTone;
  /** Name of the kind as bpftool writes it: `STRUCT`. */
  readonly name: string;
};

const STYLES: Readonly<Record<number, readonly [string, KindTone]>> = {
  [BtfKind.UNKN]: ['∅', 'kind-unknown'],
  [BtfKind.INT]: ['I', 'kind-int'],
  [BtfKind.FLOAT]: ['Fl', 'kind-int'],
  [BtfKind.PTR]: ['P', 'kind-ptr'],
  [BtfKind.ARRAY]: ['A', 'kind-array'],
  [BtfKind.STRUCT]: ['S', 'kind-composite'],
  [BtfKind.UNION]: ['U', 'kind-composite'],
  [BtfKind.ENUM]: ['E', 'kind-enum'],
  [BtfKind.ENUM64]: ['E6', 'kind-enum'],
  [BtfKind.FWD]: ['Fw', 'kind-fwd'],
  [BtfKind.TYPEDEF]: ['T', 'kind-modifier'],
  [BtfKind.VOLATILE]: ['V', 'kind-modifier'],
  [BtfKind.CONST]: ['C', 'kind-modifier'],
  [BtfKind.RESTRICT]: ['R', 'kind-modifier'],
  [BtfKind.FUNC]: ['F', 'kind-func'],
  [BtfKind.FUNC_PROTO]: ['Fp', 'kind-func'],
  [BtfKind.VAR]: ['Va', 'kind-data'],
  [BtfKind.DATASEC]: ['D', 'kind-data'],
  [BtfKind.DECL_TAG]: ['#', 'kind-tag'],
  [BtfKind.TYPE_TAG]: ['@', 'kind-tag'],
  [BtfKind.LOC_PARAM]: ['L', 'kind-func'],
  [BtfKind.LOC_PROTO]: ['Lp', 'kind-func'],
  [BtfKind.LOCSEC]: ['Ls', 'kind-data'],
};

/** Returns the letter, colour and name of a kind. Unknown kinds have them too. */
export function kindStyle(kind: number): KindStyle {
  const [letter, tone] = STYLES[kind] ?? ['?', 'kind-unknown' as const];
  return { letter, tone, name: kind === 0 ? 'VOID' : kindName(kind) };
}
