import { canList } from '#analysis/code/code-listing.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import type { RelocationMeaning } from '#analysis/relocations/meaning.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { placeOfTarget } from '#views/parts/relocation-target.ts';
import styles from './RelocationCard.module.css';

type RelocationActionsProps = {
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
  readonly meaning: RelocationMeaning;
};

/** Where one goes from an entry. */
export function RelocationActions({ model, reloc, meaning }: RelocationActionsProps) {
  const { site, target } = meaning;
  const place = target === null ? null : placeOfTarget(model, target);
  const inCode = site !== null && canList(model) && isCode(model.sections, site.section);
  return (
    <div className={styles.actions}>
      <Button size="small" onClick={() => select({ kind: 'relocation', reloc }, 'bytes')}>
        Show bytes
      </Button>
      {inCode ? (
        <Button
          size="small"
          onClick={() =>
            select(
              { kind: 'insn', section: site.section, insnOff: relocationOffset(model, reloc) },
              'code',
            )
          }
        >
          Show instruction
        </Button>
      ) : null}
      {place === null ? null : (
        <Button size="small" onClick={() => select(place.selection, place.view)}>
          Show symbol target
        </Button>
      )}
    </div>
  );
}
