import type { ComponentProps, ReactNode } from 'react';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { DetailHeading } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { type Data, type DataGroup, selectionOfGroup } from './data-entries.ts';
import styles from './detail.module.css';

export type DetailProps = {
  readonly active: Active;
  readonly data: Data;
  /** Whether the heading takes the focus: the list that had it is hidden in a narrow view. */
  readonly isFocused: boolean;
  readonly onBack: () => void;
};

type DataArticleProps = Pick<
  ComponentProps<typeof DetailHeading>,
  'title' | 'badge' | 'actions'
> & {
  readonly of: DetailProps;
  /** Facts by name; those that are null are left out. */
  readonly facts?: Readonly<Record<string, ReactNode>>;
  /** Below the facts: the declaration or a description. */
  readonly about: ReactNode;
  readonly children: ReactNode;
};

/** Heading and content of the selected data. */
export function DataArticle({ of, facts = {}, about, children, ...heading }: DataArticleProps) {
  return (
    <article className={styles.detail}>
      <DetailHeading
        {...heading}
        back="Back to the list"
        facts={Object.entries(facts).flatMap(([term, value]) =>
          value === null ? [] : [{ term, value }],
        )}
        isFocused={of.isFocused}
        onBack={of.onBack}
      >
        {about}
      </DetailHeading>
      {children}
    </article>
  );
}

/** Name of a section; a click selects the section. */
export function SectionLink(group: Pick<DataGroup, 'name' | 'section' | 'datasec'>) {
  const selection = selectionOfGroup(group);
  const name = <Name text={group.name} otherwise="(no name)" />;
  if (selection === null) return name;
  return (
    <button type="button" className={styles.link} onClick={() => select(selection)}>
      {name}
    </button>
  );
}
