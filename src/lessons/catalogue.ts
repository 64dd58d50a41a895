/**
 * The lessons that come with the page, in their order. What the list says of each is
 * what its text says at its head; the texts themselves are fetched when they are opened.
 */
export type CatalogueEntry = {
  /** File in `texts/` without its ending, and the lesson's name in an address. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** One sentence. */
  readonly about: string;
};

export const CATALOGUE: readonly CatalogueEntry[] = [];
