import { hexText, signedHex } from '#bytes/text.ts';
import { useSettings } from '#store/kept/settings.ts';
import { decimalText } from './InsnText.tsx';

const HEX = /[+-]?0x[0-9a-f]+/g;

/** An offset or address in the base of the settings. `text` has hex numbers: `0x18`, `-0x18`. */
export function Offset({ text }: { readonly text: string }) {
  return useOffsetText(text);
}

/** Returns the text that `Offset` draws. */
export function useOffsetText(text: string): string {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? text : text.replace(HEX, decimalText);
}

/** Writes an offset or address in the base of the settings. */
export type WriteOffset = (value: number | bigint) => string;

/** Returns a writer for offsets within longer texts. */
export function useWriteOffset(): WriteOffset {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? signedHex : String;
}

/** A table cell with an offset or address. */
export function offsetCell(value: number | bigint) {
  return <Offset text={hexText(value)} />;
}
