/** Texts of boxes and edges. */
import type { BoxFace } from '#analysis/graph/box-parts.ts';
import type { Scene, SceneBox, SceneLink } from '#analysis/graph/scene.ts';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';

const SHOWN = 4;

/**
 * Formats the incoming edges of a box: `task_struct.mm *, task_struct.active_mm * and 3 more`. Box
 * 0 is the root.
 */
export function edgesToText(scene: Scene, index: number): string {
  if (index === 0) return 'the root';
  return listed(
    scene.linksTo(index).map((number) => {
      const link = scene.link(number);
      return `${scene.box(link.from).text.name}.${edgeWords(scene, link)}`;
    }),
  );
}

/** Formats the targets of the outgoing edges; targets of a collapsed box are counted. */
export function edgesFromText(scene: Scene, index: number): string {
  const { state, more } = scene.box(index);
  const names = scene.linksFrom(index).map((link) => scene.box(scene.link(link).to).text.name);
  if (state === 'folded' && names.length === 0) return `folded: ${more} more`;
  return listed([...new Set(names)]);
}

/** Formats the member and the pointers of an edge: `mm *`; `3 members` for members without rows. */
function edgeWords(scene: Scene, { from, row, count, text }: SceneLink): string {
  const { rows } = scene.box(from).text;
  const name = rows[row]?.name;
  if (name === undefined) return text === '' ? countOf(count, 'member') : text;
  return `${name} ${text}`.trim();
}

function listed(words: readonly string[]): string {
  const told = words.slice(0, SHOWN).join(', ');
  return words.length > SHOWN ? `${told} and ${words.length - SHOWN} more` : told;
}

/** Returns the letter, size and button of a box. */
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

/** Formats the box in one line: kind, name, size, state. */
export function boxLabel(box: SceneBox): string {
  const { kind, name, size } = box.text;
  const parts = [`${kindStyle(kind).name} ${name}`];
  const bytes = shortSize(size);
  if (bytes !== '') parts.push(`${bytes} bytes`);
  if (box.state === 'expanded') parts.push('expanded');
  if (box.state === 'folded') parts.push(`folded, leads to ${box.more} more`);
  return parts.join(', ');
}
