/** How many bytes a line of the drawing has, as the choice among them says it. */
export type LineBytes = '8' | '16' | '64';
