/** How files of Alpha eCOFF are told from others. */
import { startsAsEcoff } from './ecoff-file.ts';
import { FILE_HEADER, OPTIONAL_HEADER, SYMBOLIC_HEADER } from './headers.ts';

/**
 * Is a file an Alpha eCOFF object? Its magic is two bytes, which any data may begin with, so that
 * one of the sizes in the header has to agree. `head` is all of the file or at least its first 512
 * bytes. A file that ends inside its header has only the magic to go by.
 */
export const ecoff = {
  begins(head: Uint8Array): boolean {
    if (!startsAsEcoff(head)) return false;
    if (head.length < FILE_HEADER.size) return true;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const fNsyms = view.getUint32(16, true);
    const fOpthdr = view.getUint16(20, true);
    return (
      fNsyms === SYMBOLIC_HEADER.size ||
      fOpthdr === OPTIONAL_HEADER.size ||
      (fNsyms === 0 && fOpthdr === 0)
    );
  },
};
