import type { ReactNode } from 'react';
import type { Grouping } from '#analysis/core/matrix/groups.ts';
import { CellGrid, type CellPlace } from '#ui/CellGrid.tsx';
import type { FactsMenu } from './KernelMenu.tsx';
import { LoadHeader } from './LoadHeader.tsx';
import { LoadRow } from './LoadRow.tsx';
import { isFoldLine, type LoadLine } from './load-lines.ts';
import type { ShownLoad } from './use-load.ts';

const HEADER_HEIGHT = 92;
const CELL_WIDTH = 136;
/** Reasons are sentences: they take the room that few columns leave. */
const NAME_WIDTHS = { narrow: 196, wide: 420, widest: 720 };

type LoadGridProps = Pick<ShownLoad, 'object' | 'columns' | 'matrix' | 'table'> & {
  readonly by: Grouping;
  readonly lines: readonly LoadLine[];
  readonly active: CellPlace | null;
  readonly onActive: (place: CellPlace) => void;
  readonly onFold: (line: number) => void;
  /** Goes to the record or instruction of a cell. */
  readonly onOpen: (place: CellPlace) => void;
  readonly menu: FactsMenu;
  /** In the header, over the lines' names. */
  readonly corner: ReactNode;
};

/**
 * The table itself. Enter folds a line that holds others, and follows any other; a click on the name
 * of a line folds it, a double click follows a cell.
 */
export function LoadGrid(props: LoadGridProps) {
  const { object, columns, matrix, table, by, lines, active, onActive, onFold, onOpen } = props;
  return (
    <CellGrid
      label="Programs and relocations on kernels"
      lineCount={lines.length}
      columnCount={columns.length}
      columnWidth={CELL_WIDTH}
      headerHeight={HEADER_HEIGHT}
      nameWidths={NAME_WIDTHS}
      renderHeader={(layout) => (
        <LoadHeader
          object={object}
          columns={columns}
          matrix={matrix}
          table={by === 'program' ? table : null}
          menu={props.menu}
          layout={layout}
          corner={props.corner}
        />
      )}
      renderLine={(place) => {
        const line = lines[place.index];
        return line === undefined ? null : (
          <LoadRow
            key={place.index}
            line={line}
            columns={columns}
            matrix={matrix}
            table={table}
            by={by}
            {...place}
          />
        );
      }}
      active={active}
      onActive={onActive}
      onOpen={(place) => {
        if (isFoldLine(lines[place.line])) onFold(place.line);
        else onOpen(place);
      }}
      onClick={({ line, column }) => {
        if (column === 0 && isFoldLine(lines[line])) onFold(line);
      }}
      emptyText={
        by === 'program' ? 'No matching programs or relocations' : 'No matching relocations'
      }
    />
  );
}
