import { type AriaAttributes, type ComponentProps, createContext, useContext, useId } from 'react';

/** Id of the text that is added to the names of landmarks in a pane; null outside of panes. */
const PartContext = createContext<string | null>(null);
export const LandmarkPart = PartContext.Provider;

type LandmarkProps = ComponentProps<'section'> & { readonly as?: 'section' | 'nav' | 'aside' };

/** Draws a landmark with a unique name, even if two panes show the same view (WAI-ARIA). */
export function Landmark({ as: Element = 'section', ...props }: LandmarkProps) {
  const part = useContext(PartContext);
  const ownId = useId();
  if (part === null) return <Element {...props} />;
  const title = props['aria-labelledby'] ?? ownId;
  return <Element {...props} id={ownId} aria-labelledby={`${title} ${part}`} />;
}

type GridAria = {
  readonly label: string;
  /** Number of rows of the grid, without the header. */
  readonly count: number;
  readonly columnCount: number;
  /** Id of the active cell; null if the active cell is not drawn. */
  readonly activeId: string | null;
  readonly isMultiselectable?: boolean;
};

/** Returns the attributes that make a `<table>` an ARIA grid. Its header has `aria-rowindex` 1. */
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

/** Returns the attributes of a grid's `<td>`. The first column has `columnIndex` 0. */
export function gridcellAria(
  columnIndex: number,
  isSelected?: boolean,
): AriaAttributes & { role: 'gridcell' } {
  return { role: 'gridcell', 'aria-colindex': columnIndex + 1, 'aria-selected': isSelected };
}

/** Returns attributes of the panel of a tab, a tab stop (WAI-ARIA APG, Tabs). */
export function tabPanelAria(
  id: string,
  tabId: string,
): AriaAttributes & { readonly role: 'tabpanel'; readonly id: string; readonly tabIndex: 0 } {
  return { role: 'tabpanel', id, tabIndex: 0, 'aria-labelledby': tabId };
}

/** Returns attributes that make a scroller a named tab stop (WCAG 2.1.1), not a landmark. */
export function scrollRegion(
  label: string,
): AriaAttributes & { readonly role: 'group'; readonly tabIndex: 0 } {
  return { role: 'group', tabIndex: 0, 'aria-label': label };
}
