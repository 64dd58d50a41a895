/** How much larger all is drawn before an audience, by the size of the window in CSS pixels. */

export type PresentingScale = {
  /** Of the tool: as large as leaves a view the room that it needs. */
  readonly tool: number;
  /** Of the lesson beside it, whose text is 14 pixels: from the last row 22 can be read. */
  readonly text: number;
};

/** What a view needs to be itself. */
const TOOL_WIDTH = 1100;
const TOOL_HEIGHT = 680;
const TEXT_WIDTH = 900;
const STEP = 1.1;

/** The scale of a window, made larger `largerBy` times. */
export function presentingScale(width: number, height: number, largerBy: number): PresentingScale {
  const more = STEP ** largerBy;
  return {
    tool: between(0.7, Math.max(1, Math.min(width / TOOL_WIDTH, height / TOOL_HEIGHT)) * more, 3),
    text: between(1, Math.max(1.2, width / TEXT_WIDTH) * more, 4),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, value)) * 100) / 100;
}
