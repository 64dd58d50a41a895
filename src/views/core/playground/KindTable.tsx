import type { AccessPath } from '#analysis/core/access-path.ts';
import { walkAccess } from '#analysis/core/access-path.ts';
import { coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { localValue } from '#analysis/core/core-value.ts';
import type { KindText } from '#analysis/core/playground-text.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { signedText } from '#views/core/result-text.ts';
import styles from './KindTable.module.css';

/** For each kind of relocation what to write, and what the compiler puts there from these types. */
export function KindTable({
  types,
  path,
  texts,
  endian,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly texts: readonly KindText[];
  readonly endian: Endian;
}) {
  return (
    <ul className={styles.list}>
      {texts.map(({ kind, macro, builtin }) => {
        const { value, error } = valueHere(types, path, kind, endian);
        return (
          <li key={kind} className={styles.kind}>
            <span className={styles.name} title={coreKind(kind)?.about}>
              {coreKindName(kind)}
            </span>
            <span className={styles.value} data-none={value === null}>
              {value === null ? <span title={error ?? ''}>none</span> : signedText(value)}
            </span>
            <span className={styles.texts}>
              {macro === null ? null : <Written text={macro} isFirst />}
              <Written text={builtin} isFirst={macro === null} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Written({ text, isFirst }: { readonly text: string; readonly isFirst: boolean }) {
  const shown = drawnName(text);
  return (
    <span className={styles.written} data-first={isFirst}>
      <code className={styles.code}>{shown}</code>
      <CopyButton text={visible(text)} label={`Copy ${shown}`} isIconOnly />
    </span>
  );
}

/** A relocation of a type has the access string `0`, wherever the way went. */
function valueHere(types: TypeTable, path: AccessPath, kind: number, endian: Endian) {
  const asked = coreKind(kind)?.group === 'type' ? walkAccess(types, path.root, '0', kind) : path;
  return localValue(types, asked, kind, endian);
}
