import { drawnName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { select } from '#store/navigation.ts';
import styles from './JumpButton.module.css';
import type { JumpLink } from './jump-link.ts';

/** `→ 14`: goes to the target of a jump or call. In a row of a table it is no tab stop, Enter on the row does the same. */
export function JumpButton({
  section,
  link,
  isInRow = false,
}: {
  readonly section: SectionIndex;
  readonly link: JumpLink;
  readonly isInRow?: boolean;
}) {
  const name = link.name === '' ? '' : ` ${drawnName(link.name)}`;
  return (
    <button
      type="button"
      className={styles.jump}
      {...(isInRow ? { tabIndex: -1 } : {})}
      aria-label={`Go to instruction ${link.insnIndex}${name}`}
      onClick={(event) => {
        // The row would select the jump itself.
        event.stopPropagation();
        select({ kind: 'insn', section, insnOff: link.insnOff });
      }}
    >
      → {link.insnIndex}
      {name === '' ? null : <bdi>{name}</bdi>}
    </button>
  );
}
