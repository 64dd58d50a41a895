/** Why a field or type has no number that libbpf could write, in words. */
import type { FieldFault } from './spec-value.ts';

export function faultWords(fault: FieldFault): string {
  switch (fault) {
    case 'bitfield':
      return 'no aligned load of at most 8 bytes holds the whole bit-field';
    case 'array-access':
      return 'an array element has no sign and no shifts: libbpf rejects this';
    case 'no-size':
      return 'the type has no size';
    case 'kind':
      return 'there is no such relocation kind';
    case 'no-field':
      return 'there is no field';
  }
}
