/** Draws an edge as lines and curves, for the page, the canvas and exported pictures. */

/** Where an edge is drawn: a `CanvasRenderingContext2D`, or the path of an SVG. */
export type Pen = {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
};

const MIN_BOW = 18;
const MAX_BOW = 60;

/** Draws the corners `points[start .. end]`, as `routeEdge` describes them; x and y alternate. */
export function traceEdge(points: ArrayLike<number>, start: number, end: number, pen: Pen): void {
  let x = points[start] ?? 0;
  let y = points[start + 1] ?? 0;
  pen.moveTo(x, y);
  for (let i = start + 2; i + 1 < end; i += 2) {
    const toX = points[i] ?? 0;
    const toY = points[i + 1] ?? 0;
    if (toY === y) {
      pen.lineTo(toX, toY);
    } else if (toX === x) {
      const bow = Math.min(MAX_BOW, Math.max(MIN_BOW, Math.abs(toY - y) / 5));
      pen.bezierCurveTo(x + bow, y, x + bow, toY, toX, toY);
    } else {
      const middle = (x + toX) / 2;
      pen.bezierCurveTo(middle, y, middle, toY, toX, toY);
    }
    x = toX;
    y = toY;
  }
}

/** Returns an edge as the `d` attribute of an SVG path. */
export function edgePath(points: ArrayLike<number>, start: number, end: number): string {
  const parts: string[] = [];
  const n = (value: number) => `${Math.round(value * 10) / 10}`;
  traceEdge(points, start, end, {
    moveTo: (x, y) => parts.push(`M${n(x)} ${n(y)}`),
    lineTo: (x, y) => parts.push(`L${n(x)} ${n(y)}`),
    bezierCurveTo: (x1, y1, x2, y2, x, y) =>
      parts.push(`C${n(x1)} ${n(y1)} ${n(x2)} ${n(y2)} ${n(x)} ${n(y)}`),
  });
  return parts.join('');
}

/** Returns the SVG path of the arrow head of an edge; its last corner is before index `end`. */
export function tipPath(points: ArrayLike<number>, end: number): string {
  const x = points[end - 2] ?? 0;
  const y = points[end - 1] ?? 0;
  const side = (points[end - 4] ?? 0) <= x ? -1 : 1;
  return `M${x} ${y}l${6 * side} -3.5v7z`;
}

/** Width of one character of a label. */
const LABEL_ADVANCE = 6.1;

export type LabelPlace = {
  /** x of the label's left side, y of its middle. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** True if the edge leaves its box to the left. */
  readonly isLeft: boolean;
};

/** Returns the position of an edge's label, next to its box. The edge begins at `points[start]`. */
export function labelPlace(
  points: ArrayLike<number>,
  start: number,
  { text, direction }: { readonly text: string; readonly direction: string },
): LabelPlace {
  const width = [...text].length * LABEL_ADVANCE + 6;
  const isLeft = direction === 'back';
  const x = (points[start] ?? 0) + (isLeft ? -5 - width : 5);
  return { x, y: points[start + 1] ?? 0, width, isLeft };
}
