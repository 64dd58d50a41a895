/** The pins of a lesson as marks of the hex view. */
import type { Pin } from '#store/lesson/pins.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import { pinLabel } from '#views/parts/PinMark.tsx';

type GetMarks = (start: number, end: number) => readonly ByteMark[];

/** A mark for each pin that has bytes. `shift` is added to offsets in the file. */
export function pinMarks(
  pins: readonly Pin[],
  shift: number,
  classOf: (isLit: boolean) => string,
): ByteMark[] {
  return pins.flatMap(({ number, text, span, isLit }): ByteMark[] =>
    span === null
      ? []
      : [
          {
            start: span.start + shift,
            end: span.end + shift,
            tone: 'accent',
            label: pinLabel(number, text),
            className: classOf(isLit),
            badge: `${number}`,
          },
        ],
  );
}

/** `own` with the pins below them: what colours a byte otherwise still does. */
export function withPins(own: GetMarks, pins: readonly ByteMark[]): GetMarks {
  if (pins.length === 0) return own;
  return (start, end) => [
    ...pins.filter((pin) => pin.start < end && pin.end > start),
    ...own(start, end),
  ];
}
