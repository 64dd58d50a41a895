import { hexText, signedHex } from '#bytes/text.ts';
import { useSettings } from '#store/kept/settings.ts';
import { decimalText } from './InsnText.tsx';

const HEX = /[+-]?0x[0-9a-f]+/g;

/** Shows an offset or address in the number base of the settings. `text` is in hex: `-0x18`. */
export function Offset({ text }: { readonly text: string }) {
  return useOffsetText(text);
}

/** Returns a hex offset as `Offset` shows it. */
export function useOffsetText(text: string): string {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? text : text.replace(HEX, decimalText);
}

/** Writes an offset or address as a text in the number base of the settings. */
export type WriteOffset = (value: number | bigint) => string;

/** Returns a function that writes offsets in the number base of the settings. */
export function useWriteOffset(): WriteOffset {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? signedHex : String;
}

/** Shows an offset or address in a table cell. */
export function offsetCell(value: number | bigint) {
  return <Offset text={hexText(value)} />;
}
