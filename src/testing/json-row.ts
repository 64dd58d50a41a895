/**
 * Reads the fields of a JSON object, for the tables of the corpus. Throws for a missing field or a
 * wrong type, so that a test does not compare with `undefined`.
 */
export class JsonRow {
  readonly fields: ReadonlyMap<string, unknown>;

  /** Throws if `value` is not a JSON object. */
  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Error(`a JSON object was expected, not ${JSON.stringify(value)?.slice(0, 80)}`);
    }
    this.fields = new Map(Object.entries(value));
  }

  static parse(json: string): JsonRow {
    return new JsonRow(JSON.parse(json));
  }

  /** Returns true if the field exists and is not null. */
  has(key: string): boolean {
    return (this.fields.get(key) ?? null) !== null;
  }

  text(key: string): string {
    const value = this.fields.get(key);
    return typeof value === 'string' ? value : this.#wrong(key, 'text');
  }

  number(key: string): number {
    const value = this.fields.get(key);
    return typeof value === 'number' ? value : this.#wrong(key, 'a number');
  }

  flag(key: string): boolean {
    const value = this.fields.get(key);
    return typeof value === 'boolean' ? value : this.#wrong(key, 'true or false');
  }

  list(key: string): readonly unknown[] {
    const value = this.fields.get(key);
    return Array.isArray(value) ? value : this.#wrong(key, 'a list');
  }

  texts(key: string): readonly string[] {
    return this.list(key).map((v) => (typeof v === 'string' ? v : this.#wrong(key, 'texts')));
  }

  numbers(key: string): readonly number[] {
    return this.list(key).map((v) => (typeof v === 'number' ? v : this.#wrong(key, 'numbers')));
  }

  row(key: string): JsonRow {
    return new JsonRow(this.fields.get(key));
  }

  rows(key: string): readonly JsonRow[] {
    return this.list(key).map((v) => new JsonRow(v));
  }

  #wrong(key: string, wanted: string): never {
    const found = JSON.stringify(this.fields.get(key)) ?? 'nothing';
    throw new Error(`field ${key}: ${wanted} was expected, not ${found.slice(0, 80)}`);
  }
}
