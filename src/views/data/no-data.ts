/** Why a file has no data to show, in words. */
import { isBpf, type ObjectModel } from '#model/object-model.ts';

/** A title, and what would stand here. */
export function noData(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'Types only, no values',
      text: 'This is BTF by itself and names no variables. Objects (.o) hold variables and maps, which would stand here with their values. To read bytes by these types, choose “Decode a value”.',
    };
  }
  return {
    title: 'No variables that BTF tells of',
    text: isBpf(model)
      ? 'This object has no global variables, no maps and no licence. They would stand here by section, with their types and initial values.'
      : 'Variables of .data, .rodata, .bss and of sections with other names stand here, where BTF lists them (DATASEC).',
  };
}
