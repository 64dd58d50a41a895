/** What a box of the graph says beside its text: the same on the page, on the canvas and in exports. */
import type { BoxFace } from '#analysis/graph/box-parts.ts';
import type { SceneBox } from '#analysis/graph/scene.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { shortSize } from '#views/parts/type-size-text.ts';

/** Letter, size and button of a box. */
export function faceOf(box: SceneBox): BoxFace {
  return {
    letter: kindStyle(box.text.kind).letter,
    size: shortSize(box.text.size),
    button: buttonOf(box),
    linkedRows: box.linkedRows,
  };
}

function buttonOf({ state, more }: SceneBox): string {
  if (state === 'leaf') return '';
  if (state === 'expanded') return '−';
  return more === 0 ? '+' : `+${more}`;
}

/** The box in one line: kind, name, size, and whether it is expanded. */
export function boxLabel(box: SceneBox): string {
  const { kind, name, size } = box.text;
  const parts = [`${kindStyle(kind).name} ${name}`];
  const bytes = shortSize(size);
  if (bytes !== '') parts.push(`${bytes} bytes`);
  if (box.state === 'expanded') parts.push('expanded');
  if (box.state === 'folded') parts.push(`folded, leads to ${box.more} more`);
  return parts.join(', ');
}
