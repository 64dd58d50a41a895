/** Pictures of terms in words: what those hear who do not see them. */
import type { Part, Picture } from '#glossary/picture.ts';

/** `bit 31`, `bits 15 to 0`: as documents count them, from the highest. */
export function bitsText({ start, length }: Part): string {
  return length === 1 ? `bit ${start}` : `bits ${start + length - 1} to ${start}`;
}

/** What the picture shows, in one sentence. */
export function pictureText(picture: Picture): string {
  switch (picture.kind) {
    case 'word': {
      const lit = partCalled(picture.parts, picture.lit);
      const where = lit === null ? '' : `: ${picture.lit} is ${bitsText(lit)}`;
      return `A number of ${picture.bits} bits${where}.`;
    }
    case 'record': {
      const names = picture.parts.map(({ name }) => name || 'unused');
      return `Fields of ${picture.title}: ${names.join(', ')}. Meant is ${picture.lit}.`;
    }
    case 'flow':
      return `${picture.boxes.join(', then ')}. Meant is ${picture.boxes[picture.lit] ?? ''}.`;
    case 'bytes':
      return `Bytes ${picture.bytes.map(hexByte).join(' ')}. Bytes ${picture.start} to ${picture.end - 1} are meant: ${picture.caption}.`;
    case 'layout': {
      const lit = partCalled(picture.parts, picture.lit);
      const name = picture.lit === '' ? 'what no member covers' : picture.lit;
      const where =
        lit === null ? '' : `, ${picture.unit}s ${lit.start} to ${lit.start + lit.length - 1}`;
      return `Members of a ${picture.title} to scale. Meant is ${name}${where}.`;
    }
  }
}

/** Two digits of hex. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function partCalled(parts: readonly Part[], name: string): Part | null {
  return parts.find((part) => part.name === name) ?? null;
}
