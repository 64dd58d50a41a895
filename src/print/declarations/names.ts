/** Names of a file as identifiers of another language. */

/** Gives out identifiers, each once: one that was given out before gets a number, `name_2`. */
export class NameSet {
  readonly #spell: (raw: string) => string;
  /** What was given out, with the number that was tried last for it. */
  readonly #taken = new Map<string, number>();

  /** `spell` makes an identifier of any text. */
  constructor(spell: (raw: string) => string) {
    this.#spell = spell;
  }

  add(raw: string): string {
    const wanted = this.#spell(raw);
    let name = wanted;
    let number = this.#taken.get(wanted) ?? 1;
    while (this.#taken.has(name)) name = this.#spell(`${raw}_${++number}`);
    this.#taken.set(wanted, number);
    if (name !== wanted) this.#taken.set(name, 1);
    return name;
  }
}

/** `raw` with an underscore for all but ASCII letters and digits; never empty, and no digit first. */
export function plainIdentifier(raw: string): string {
  const plain = raw.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
