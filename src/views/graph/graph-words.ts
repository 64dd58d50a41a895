/** The edges of a graph in words. */
import type { Scene, SceneLink } from '#analysis/graph/scene.ts';

const SHOWN = 4;

/** The edges that reach box `index`: `task_struct.mm *, task_struct.active_mm * and 3 more`. */
export function wayTo(scene: Scene, index: number): string {
  return listed(
    scene.linksTo(index).map((number) => {
      const link = scene.link(number);
      return `${scene.box(link.from).text.name}.${edgeWords(scene, link)}`;
    }),
  );
}

/** The types that edges of box `index` lead to; what is folded is counted. */
export function wayFrom(scene: Scene, index: number): string {
  const { state, more } = scene.box(index);
  const names = scene.linksFrom(index).map((link) => scene.box(scene.link(link).to).text.name);
  if (state === 'folded' && names.length === 0) return `folded: ${more} more`;
  return listed([...new Set(names)]);
}

/** The member and what the edge passes: `mm *`; `3 members` where they have no rows. */
function edgeWords(scene: Scene, { from, row, count, text }: SceneLink): string {
  const { rows } = scene.box(from).text;
  const name = rows[row]?.name;
  if (name === undefined) return text === '' ? `${count} members` : text;
  return `${name} ${text}`.trim();
}

function listed(words: readonly string[]): string {
  const told = words.slice(0, SHOWN).join(', ');
  return words.length > SHOWN ? `${told} and ${words.length - SHOWN} more` : told;
}
