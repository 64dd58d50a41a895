/**
 * Is a file an Alpha eCOFF object? Its magic is two bytes, which any data may
 * begin with, so that one of the sizes in the header has to agree.
 */
import { startsAsEcoff } from '#formats/ecoff/ecoff-file.ts';
import { FILE_HEADER_SIZE } from '#formats/ecoff/file-header.ts';
import { OPTIONAL_HEADER_SIZE } from '#formats/ecoff/optional-header.ts';
import { SYMBOLIC_HEADER_SIZE } from '#formats/ecoff/symbolic-header.ts';

/** `head` is all of the file or at least its first 512 bytes. A file that ends inside its header has only the magic to go by. */
export function looksLikeEcoff(head: Uint8Array): boolean {
  if (!startsAsEcoff(head)) return false;
  if (head.length < FILE_HEADER_SIZE) return true;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const fNsyms = view.getUint32(16, true);
  const fOpthdr = view.getUint16(20, true);
  return (
    fNsyms === SYMBOLIC_HEADER_SIZE ||
    fOpthdr === OPTIONAL_HEADER_SIZE ||
    (fNsyms === 0 && fOpthdr === 0)
  );
}
