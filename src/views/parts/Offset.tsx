import { hexText } from '#bytes/text.ts';
import { useSettings } from '#store/settings.ts';
import { decimalText } from './InsnText.tsx';

/** An offset or address in the base that the settings say. `text` is hex, as `0x18` or `-0x18`: tables sort by it. */
export function Offset({ text }: { readonly text: string }) {
  const base = useSettings((state) => state.numbers);
  return base === 'hex' ? text : decimalText(text);
}

/** The cell of an offset or address. */
export function offsetCell(value: number | bigint) {
  return <Offset text={hexText(value)} />;
}
