/** Which examples are shown, and what their cards say. */
import type { Sample } from '#store/samples.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

export type ByteOrder = Sample['endian'];

/** The examples of one byte order, in the order of the list; those of another format are a group of their own. */
export function samplesIn(samples: readonly Sample[], order: ByteOrder): Sample[] {
  return samples.filter((sample) => sample.endian === order && !isEcoff(sample));
}

/** The Alpha eCOFF objects, in the order of the list. */
export function ecoffSamples(samples: readonly Sample[]): Sample[] {
  return samples.filter(isEcoff);
}

function isEcoff({ file }: Sample): boolean {
  return file.endsWith('.ecoff');
}

/** The title without its byte order, which the switch above the cards tells. */
export function shortTitle({ title }: Sample): string {
  return title.replace(/ \(big-endian\)$/, '');
}

/** `75 types`, `96 relocations`, `15 CO-RE`; what there is none of is left out. */
export function sampleCounts({ types, relocations, core }: Sample): string[] {
  return [
    types > 0 ? countOf(types, 'type') : '',
    relocations > 0 ? countOf(relocations, 'relocation') : '',
    core > 0 ? `${grouped(core)} CO-RE` : '',
  ].filter((part) => part !== '');
}
