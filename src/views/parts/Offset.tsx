import { hexText, signedHex } from '#bytes/text.ts';
import { useSettings } from '#store/kept/settings.ts';
import { decimalText } from './InsnText.tsx';

/** Numbers in hex, with their sign. */
const HEX = /[+-]?0x[0-9a-f]+/g;

/** An offset or address in the base that the settings say. `text` is hex, as `0x18` or `-0x18`, or what is computed of such: tables sort by it. */
export function Offset({ text }: { readonly text: string }) {
  return useOffsetText(text);
}

/** What `Offset` draws. */
export function useOffsetText(text: string): string {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? text : text.replace(HEX, decimalText);
}

/** Writes an offset or address into a text. */
export type WriteOffset = (value: number | bigint) => string;

/** As `Offset`, for texts that have more than the number; draws again when the settings change. */
export function useWriteOffset(): WriteOffset {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? signedHex : String;
}

/** The cell of an offset or address. */
export function offsetCell(value: number | bigint) {
  return <Offset text={hexText(value)} />;
}
