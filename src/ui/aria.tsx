import { type AriaAttributes, type ComponentProps, createContext, useContext, useId } from 'react';

/** Id of the text that distinguishes the landmarks of a part of the page; null: the whole page. */
const PartContext = createContext<string | null>(null);
export const LandmarkPart = PartContext.Provider;

type LandmarkProps = ComponentProps<'section'> & { readonly as?: 'section' | 'nav' | 'aside' };

/** Draws a landmark with a unique name, also if its view is shown twice (WAI-ARIA). */
export function Landmark({ as: Element = 'section', ...props }: LandmarkProps) {
  const part = useContext(PartContext);
  const ownId = useId();
  if (part === null) return <Element {...props} />;
  const title = props['aria-labelledby'] ?? ownId;
  return <Element {...props} id={ownId} aria-labelledby={`${title} ${part}`} />;
}

type GridAria = {
  readonly label: string;
  /** Number of rows without the header. */
  readonly count: number;
  readonly columnCount: number;
  /** Id of the active cell; null while the cell is not in the page. */
  readonly activeId: string | null;
  readonly isMultiselectable?: boolean;
};

/** Returns attributes that make a `<table>` a grid of WAI-ARIA. The header is row 1 of `aria-rowindex`. */
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

/** Returns attributes of a grid's `<td>`. `columnIndex` counts from 0; `isSelected` only for selectable cells. */
export function gridcellAria(
  columnIndex: number,
  isSelected?: boolean,
): AriaAttributes & { role: 'gridcell' } {
  return { role: 'gridcell', 'aria-colindex': columnIndex + 1, 'aria-selected': isSelected };
}

/** Returns attributes that make a scroller a named tab stop (WCAG 2.1.1). A group, since landmarks are few. */
export function scrollRegion(
  label: string,
): AriaAttributes & { readonly role: 'group'; readonly tabIndex: 0 } {
  return { role: 'group', tabIndex: 0, 'aria-label': label };
}
