import { type AriaAttributes, type ComponentProps, createContext, useContext, useId } from 'react';

/** The id of the text that tells the landmarks of a part of the page from others with the same names; null: there are none. */
const PartContext = createContext<string | null>(null);
export const LandmarkPart = PartContext.Provider;

type LandmarkProps = ComponentProps<'section'> & { readonly as?: 'section' | 'nav' | 'aside' };

/** A landmark with a name of its own, also where its view is shown twice (WAI-ARIA: names of landmarks are unique). */
export function Landmark({ as: Element = 'section', ...props }: LandmarkProps) {
  const part = useContext(PartContext);
  const ownId = useId();
  if (part === null) return <Element {...props} />;
  const title = props['aria-labelledby'] ?? ownId;
  return <Element {...props} id={ownId} aria-labelledby={`${title} ${part}`} />;
}

type GridAria = {
  readonly label: string;
  /** Data rows; the header is counted here. */
  readonly count: number;
  readonly columnCount: number;
  /** Id of the active cell, null while it is not in the page. */
  readonly activeId: string | null;
  readonly isMultiselectable?: boolean;
};

/**
 * What makes a `<table>` the grid widget of WAI-ARIA (grid pattern): one tab stop
 * that names its active cell. Rows, groups and headers have their roles from the
 * table's elements. `aria-rowindex` counts from 1 and the header is row 1.
 */
export function gridAria(grid: GridAria): AriaAttributes & { role: 'grid'; tabIndex: 0 } {
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-label': grid.label,
    'aria-rowcount': grid.count + 1,
    'aria-colcount': grid.columnCount,
    'aria-activedescendant': grid.activeId ?? undefined,
    'aria-multiselectable': grid.isMultiselectable,
  };
}

/** As `gridAria`, for a `<td>`. `columnIndex` counts from 0; `isSelected` only where cells are selected by themselves. */
export function gridcellAria(
  columnIndex: number,
  isSelected?: boolean,
): AriaAttributes & { role: 'gridcell' } {
  return { role: 'gridcell', 'aria-colindex': columnIndex + 1, 'aria-selected': isSelected };
}

/**
 * For an element that scrolls and has nothing in it to focus: a named tab stop,
 * so that the keyboard can scroll it (WCAG 2.1.1; not every browser makes it one). A group, no
 * landmark: a page has dozens.
 */
export function scrollRegion(
  label: string,
): AriaAttributes & { readonly role: 'group'; readonly tabIndex: 0 } {
  return { role: 'group', tabIndex: 0, 'aria-label': label };
}
