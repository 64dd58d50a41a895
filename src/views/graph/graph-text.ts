/** Texts about boxes and edges of the graph. */
import type { BoxFace } from '#analysis/graph/box-parts.ts';
import type { Scene, SceneBox, SceneLink } from '#analysis/graph/scene.ts';
import type { PathsAnswer, PathsProblem } from '#analysis/paths/ask-paths.ts';
import type { DescribedPath, PathStep } from '#analysis/paths/describe-path.ts';
import { hexPlace, hexText } from '#bytes/text.ts';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';

const SHOWN = 4;

/** Returns the incoming edges as `task_struct.mm *, task_struct.active_mm * and 3 more`. */
export function edgesToText(scene: Scene, index: number): string {
  if (index === 0) return 'the root';
  return listed(
    scene.linksTo(index).map((number) => {
      const link = scene.link(number);
      return `${scene.box(link.from).text.name}.${edgeWords(scene, link)}`;
    }),
  );
}

/** Returns the names of the types that outgoing edges lead to, or their number if collapsed. */
export function edgesFromText(scene: Scene, index: number): string {
  const { state, more } = scene.box(index);
  const names = scene.linksFrom(index).map((link) => scene.box(scene.link(link).to).text.name);
  if (state === 'folded' && names.length === 0) return `folded: ${more} more`;
  return listed([...new Set(names)]);
}

/** Returns an edge's member and pointers, as `mm *`; `3 members` if the box has no such row. */
function edgeWords(scene: Scene, { from, row, count, text }: SceneLink): string {
  const { rows } = scene.box(from).text;
  const name = rows[row]?.name;
  if (name === undefined) return text === '' ? countOf(count, 'member') : text;
  return `${name} ${text}`.trim();
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN).join(', ');
  return words.length > SHOWN ? `${shown} and ${words.length - SHOWN} more` : shown;
}

/** Returns letter, size and button of a box. */
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

/** Returns the description of a box in one line: kind, name, size, state. */
export function boxLabel(box: SceneBox): string {
  const { kind, name, size } = box.text;
  const parts = [`${kindStyle(kind).name} ${name}`];
  const bytes = shortSize(size);
  if (bytes !== '') parts.push(`${bytes} bytes`);
  if (box.state === 'expanded') parts.push('expanded');
  if (box.state === 'folded') parts.push(`folded, leads to ${box.more} more`);
  return parts.join(', ');
}

/** Returns why there is no path; null while start or end is blank. */
export function problemText({ end, reason, word, near }: PathsProblem): string | null {
  const suggestion = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
  switch (reason) {
    case 'blank':
      return null;
    case 'unknown':
      return end === 'from'
        ? `There is no type ${word} in this file.`
        : `No type and no member named ${word} in this file.`;
    case 'no-members':
      return `${word} has no members: a path starts at a struct or a union.`;
    case 'pointer':
      return `${word} is not a struct. Name the field from its own struct.`;
    case 'element':
      return `${word} selects an element: name the array.`;
    case 'syntax':
      return `${word} is not a field: write it as in C, a.b.`;
    case 'no-field':
      return `There is no member ${word} in that type.${suggestion}`;
  }
}

/** Returns the number of paths, and whether the search ended before all paths were found. */
export function summaryText(
  answer: Extract<PathsAnswer, { readonly ok: true }>,
  limit: number,
  around: boolean,
): string {
  const { paths, complete } = answer;
  const cut = complete ? '' : ' The search was cut short: there may be better ones.';
  if (paths.length === 0) {
    return `No path through members and pointers.${around ? '' : ' Try container_of steps, above.'}${cut}`;
  }
  if (paths.length === 1) return `1 path.${cut}`;
  const count = paths.length < limit ? countOf(paths.length, 'path') : `Top ${limit} paths`;
  return `${count}, the best first.${cut}`;
}

/** Returns how many pointers the path reads. */
export function pointersText({ cost }: DescribedPath): string {
  return cost.pointers === 0 ? 'no pointer' : countOf(cost.pointers, 'pointer');
}

/** Returns an offset as `+0xbf8` or `+0x13:4`. For container_of the offset is subtracted. */
export function placeText({ kind, byteOffset, bitOffset, bitfieldSize }: PathStep): string {
  const sign = kind === 'container' ? '−' : '+';
  return `${sign}${bitfieldSize === 0 ? hexText(byteOffset) : hexPlace(bitOffset)}`;
}

/** Returns notes on an access. Each note is a sentence. */
export function stepNotes(step: PathStep, through: DescribedPath['through']): string[] {
  const notes: string[] = [];
  if (step.kind === 'container') {
    notes.push(
      through === 'part'
        ? 'Valid only if the pointer points into such a struct: BTF does not record this.'
        : 'A guess: BTF records neither the element type of a list nor the containing struct of a member.',
    );
  }
  if (step.throughUnion) {
    notes.push('Passes a union: other members share these bytes.');
  }
  for (const tag of step.tags) {
    notes.push(`The pointer is tagged ${tag}.`);
  }
  if (step.fault !== null) notes.push(`libbpf rejects this access string: ${step.fault}.`);
  return notes;
}
