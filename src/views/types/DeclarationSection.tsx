import { useMemo } from 'react';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { cDeclaration } from '#print/c-declaration.ts';
import { select } from '#store/navigation.ts';
import { Code } from '#ui/Code.tsx';
import { grouped } from '#ui/grouped.ts';
import styles from './DeclarationSection.module.css';
import { DetailSection } from './DetailSection.tsx';
import { type DeclarationPart, declarationParts } from './declaration-parts.ts';
import { declarationTargets } from './declaration-targets.ts';
import { clipLines, visibleLines } from './shown-text.ts';

const SHOWN_CHARACTERS = 40_000;

/** The type in C, as bpftool writes it, with the types that it names as links. */
export function DeclarationSection({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const text = useMemo(() => cDeclaration(types, type), [types, type]);
  const { parts, linesLeftOut } = useMemo(() => {
    const clipped = clipLines(text, SHOWN_CHARACTERS);
    return {
      linesLeftOut: clipped.linesLeftOut,
      parts: keyed(declarationParts(clipped.text, declarationTargets(types, type))),
    };
  }, [text, types, type]);
  return (
    <DetailSection title="C declaration">
      <div className={styles.code}>
        <Code text={text} label="C declaration">
          {parts.map(({ at, part }) => (
            <Part key={at} part={part} />
          ))}
        </Code>
      </div>
      {linesLeftOut === 0 ? null : (
        <p className={styles.more}>
          {grouped(linesLeftOut)} more lines are not drawn; the copy button takes them all.
        </p>
      )}
    </DetailSection>
  );
}

/** Each part with its place in the text, which no other part has. */
function keyed(parts: readonly DeclarationPart[]) {
  let at = 0;
  return parts.map((part) => {
    const place = at;
    at += part.text.length;
    return { at: place, part };
  });
}

/** The types are under "Refers to" as well: here they are no tab stops, since there may be hundreds. */
function Part({ part }: { readonly part: DeclarationPart }) {
  const { text, role, type } = part;
  if (type !== null) {
    return (
      <button
        type="button"
        tabIndex={-1}
        className={styles.link}
        onClick={() => select(typeSelection(type))}
      >
        {visibleLines(text)}
      </button>
    );
  }
  return role === 'plain' ? (
    visibleLines(text)
  ) : (
    <span className={styles[role]}>{visibleLines(text)}</span>
  );
}
