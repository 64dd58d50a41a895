/** Codes of the notes about encoder and readers: facts about a BTF, of which none is a fault. */
export const ORIGIN_CODES: readonly string[] = ['btf.encoder', 'btf.readers'];
