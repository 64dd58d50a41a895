/** Thrown for a text that is not a map dump. */
export class DumpError extends Error {
  /** Range of the error in the text, in characters; null if unknown. */
  readonly at: { readonly start: number; readonly length: number } | null;

  constructor(message: string, at: DumpError['at'] = null) {
    super(message);
    this.at = at;
  }
}
