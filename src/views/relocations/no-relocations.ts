/** Why a file has no relocations, in words. */
import type { ObjectModel } from '#model/object-model.ts';

/** One or two plain sentences. */
export function noRelocationsText(model: ObjectModel): string {
  if (model.format === 'btf') {
    return 'This is BTF by itself: types and strings, and nothing that a linker or loader would change.';
  }
  if (model.fileType === 'relocatable') {
    return 'No section has an entry: its code refers to no map, no global variable and no other function.';
  }
  return 'The linker has applied them already. Object files (.o) have them.';
}
