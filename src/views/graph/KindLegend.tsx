import { FAMILIES, type Family, familyOf, parseHidden } from '#analysis/graph/entries.ts';
import type { Scene } from '#analysis/graph/scene.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { toggleFamily } from './graph-actions.ts';
import styles from './KindLegend.module.css';

type KindLegendProps = { readonly types: TypeTable; readonly scene: Scene };

const FACES: Readonly<Record<Family, readonly [kind: number, word: string]>> = {
  struct: [BtfKind.STRUCT, 'Structs'],
  union: [BtfKind.UNION, 'Unions'],
  enum: [BtfKind.ENUM, 'Enums'],
  fwd: [BtfKind.FWD, 'Forward'],
  func: [BtfKind.FUNC_PROTO, 'Functions'],
  other: [BtfKind.TYPEDEF, 'Others'],
};

/** How many of each kind are shown; a press hides or shows them. */
export function KindLegend({ types, scene }: KindLegendProps) {
  const hidden = parseHidden(scene.picture.request.hide);
  const counts = new Map<Family, number>();
  for (const type of scene.picture.boxes.type) {
    const family = familyOf(types, typeId(type));
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  const shown = FAMILIES.filter((family) => hidden.has(family) || counts.has(family));
  return (
    <fieldset className={styles.legend} aria-label="Kinds shown">
      {shown.map((family) => {
        const [kind, word] = FACES[family];
        const count = hidden.has(family) ? 'hidden' : grouped(counts.get(family) ?? 0);
        return (
          <button
            key={family}
            type="button"
            className={styles.kind}
            aria-label={`${word}: ${count}`}
            aria-pressed={!hidden.has(family)}
            onClick={() => toggleFamily(hidden, family)}
          >
            <KindBadge kind={kind} decorative />
            <span className={styles.word}>{word}</span>
            <span className={styles.count}>{count}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
