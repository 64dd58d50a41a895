/** BTF that says nothing: what a file is before something is declared in it. */
import type { Endian } from '#bytes/span.ts';
import { BtfWriter } from '#formats/btf/write.ts';

/** A blob with no type and the empty string. */
export function emptyBtf(endian: Endian): Uint8Array {
  return new BtfWriter({ endian }).finish();
}
