import { drawnName } from '#bytes/text.ts';
import type { Insn } from '#formats/bpf/insn.ts';
import { shownInsnText } from '#print/insn.ts';
import { useSettings } from '#store/kept/settings.ts';
import { hexBytes } from '#ui/hex-marks.ts';
import styles from './InsnText.module.css';

/** Shows an instruction as `shownInsnText` writes it, with colours for registers and numbers. */
export function InsnText({ insn }: { readonly insn: Insn }) {
  const numbers = useSettings((state) => state.numbers);
  // Only the text of `ld_pseudo` contains a tab.
  const tokens = insnTokens(shownInsnText(insn).replace('\t', ' '));
  return (
    <code className={styles.text}>
      {tokens.map(({ kind, text, start }) => (
        <span key={start} data-part={kind}>
          {kind === 'number' && numbers === 'decimal' ? decimalText(text) : text}
        </span>
      ))}
    </code>
  );
}

/** Returns a signed hex number in decimal: `+16` for `+0x10`. */
export function decimalText(hex: string): string {
  const [, sign = '', digits = '0x0'] = /^([+-]?)(0x[0-9a-f]+)$/.exec(hex) ?? [];
  return `${sign}${BigInt(digits)}`;
}

/** A part of an instruction's text that has one colour. */
type InsnToken = {
  readonly kind: 'register' | 'number' | 'word' | 'type' | 'plain';
  readonly text: string;
  /** Offset of the part in the text, in UTF-16 units. */
  readonly start: number;
};

const PARTS =
  /(?<register>\b[rw]\d+\b)|(?<number>[+-]?0x[0-9a-f]+\b)|(?<type>\b[us](?:8|16|32|64)\b)|(?<word>[a-z_]\w+)|(?<plain>[^a-z0-9_+-]+|.)/gsu;

/** Splits the text that `shownInsnText` returns into parts. No character is lost. */
export function insnTokens(text: string): InsnToken[] {
  return Array.from(text.matchAll(PARTS), ({ 0: part, index, groups = {} }) => {
    const kind = KINDS.find((name) => groups[name] !== undefined) ?? 'plain';
    return { kind, text: part, start: index };
  });
}

const KINDS = ['register', 'number', 'type', 'word'] as const;

/** Shows an Alpha instruction as its tools write it: `ldq t12,-32752(gp)`. `text` is unescaped. */
export function WordText({ text }: { readonly text: string }) {
  const at = text.indexOf(' ');
  const name = at < 0 ? text : text.slice(0, at);
  return (
    <code className={styles.word}>
      <span className="medium strong">{drawnName(name)}</span>
      {at < 0 ? '' : ` ${drawnName(text.slice(at + 1))}`}
    </code>
  );
}

type InsnBytesProps = {
  readonly bytes: Uint8Array;
  readonly boxed?: readonly InsnField['name'][];
};

/** Shows an instruction's bytes in hex, by field. `boxed` fields are those a relocation patches. */
export function InsnBytes({ bytes, boxed = [] }: InsnBytesProps) {
  return (
    <code className={styles.bytes}>
      {insnFields(bytes.length).map(({ name, start, end }) => (
        <span key={name}>
          <span data-field={name} data-boxed={boxed.includes(name) ? '' : undefined}>
            {hexBytes(bytes.subarray(start, end))}
          </span>{' '}
        </span>
      ))}
    </code>
  );
}

/** A field of an instruction. Source: instruction-set.rst, "Instruction encoding". */
export type InsnField = {
  readonly name: 'code' | 'regs' | 'off' | 'imm' | 'reserved' | 'next_imm';
  /** First byte of the field, from the start of the instruction. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
};

/** Returns the fields of an instruction of `length` bytes: 16 for ld_imm64, else 8. */
export function insnFields(length: number): readonly InsnField[] {
  return length < 16 ? FIRST : BOTH;
}

const FIRST: readonly InsnField[] = [
  { name: 'code', start: 0, end: 1 },
  { name: 'regs', start: 1, end: 2 },
  { name: 'off', start: 2, end: 4 },
  { name: 'imm', start: 4, end: 8 },
];

const BOTH: readonly InsnField[] = [
  ...FIRST,
  { name: 'reserved', start: 8, end: 12 },
  { name: 'next_imm', start: 12, end: 16 },
];
