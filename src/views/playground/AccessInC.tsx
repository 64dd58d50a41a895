import { coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { localValue } from '#analysis/core/patch-insn.ts';
import {
  bitfieldReadOf,
  coreReadOf,
  declarationOf,
  expressionOf,
  isEnumRoot,
  type KindText,
  kindTexts,
} from '#analysis/core/playground.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Code, CopyButton } from '#ui/CopyButton.tsx';
import { signedText } from '#views/parts/core/StateMark.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import styles from './AccessInC.module.css';

type AccessInCProps = {
  readonly types: TypeTable;
  readonly paths: readonly AccessPath[];
  readonly endian: Endian;
};

/** Shows the accesses as C, and the CO-RE macros for the last access. */
export function AccessInC({ types, paths, endian }: AccessInCProps) {
  const last = paths.at(-1);
  const first = paths[0];
  if (last === undefined || first === undefined) return null;
  const isEnum = isEnumRoot(types, last.root);
  const group = isEnum ? 'enum' : 'field';
  const asks = last.error === null ? kindTexts(types, last, group) : [];
  return (
    <>
      {last.error !== null || isEnum ? null : (
        <DetailSection title="In C">
          <CText types={types} paths={paths} first={first} last={last} />
        </DetailSection>
      )}
      {asks.length === 0 ? null : (
        <DetailSection
          title={isEnum ? 'Relocations of the enumerator' : 'Relocations of the field'}
          aside={
            paths.length > 1 ? `with ${drawnName(declarationOf(types, last.root))}` : undefined
          }
        >
          <KindTable types={types} path={last} texts={asks} endian={endian} />
        </DetailSection>
      )}
    </>
  );
}

type CTextProps = Pick<AccessInCProps, 'types' | 'paths'> & {
  readonly first: AccessPath;
  readonly last: AccessPath;
};

function CText({ types, paths, first, last }: CTextProps) {
  const expression = expressionOf(paths);
  if (expression === null) {
    return (
      <p className="soft pretty">
        An anonymous member has no name in C. Select one of its members.
      </p>
    );
  }
  const read = coreReadOf(paths);
  const bits = bitfieldReadOf(last);
  const lines = [declarationOf(types, first.root), `${expression};`];
  if (read !== null) lines.push(`${read};`);
  if (bits !== null && paths.length === 1) lines.push(`${bits};`);
  const text = lines.map(visible).join('\n');
  return (
    <Code label="C expression" text={text}>
      {drawnLines(text)}
    </Code>
  );
}

type TypeRelocationsProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  readonly endian: Endian;
};

/** Shows the CO-RE macros for the root type; hidden if C has no name for the type. */
export function TypeRelocations({ types, path, endian }: TypeRelocationsProps) {
  const texts = kindTexts(types, path, 'type');
  if (texts.length === 0) return null;
  return (
    <DetailSection title="Relocations of the type">
      <KindTable types={types} path={path} texts={texts} endian={endian} />
    </DetailSection>
  );
}

type KindTableProps = TypeRelocationsProps & { readonly texts: readonly KindText[] };

/** Shows the C for each relocation kind, and the value of that relocation on these types. */
function KindTable({ types, path, texts, endian }: KindTableProps) {
  return (
    <ul className="box no-overflow">
      {texts.map(({ kind, macro, builtin }) => {
        const { value, error } = valueHere(types, path, kind, endian);
        return (
          <li key={kind} className={styles.kind}>
            <span className="small mono soft" title={coreKind(kind)?.about}>
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
      <code className="shrink small break">{shown}</code>
      <CopyButton text={visible(text)} label={`Copy ${shown}`} isIconOnly />
    </span>
  );
}

/** Returns the value on these types. The access string of a type relocation is always `0`. */
function valueHere(types: TypeTable, path: AccessPath, kind: number, endian: Endian) {
  const asked = coreKind(kind)?.group === 'type' ? walkAccess(types, path.root, '0', kind) : path;
  return localValue(types, asked, kind, endian);
}
