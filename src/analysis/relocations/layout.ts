/**
 * A layout that a person states: where a linker would put each section, which gp
 * and which addresses of symbols it would choose. Formats whose entries patch
 * bytes without a linker's choices have nothing to state.
 */
import { type Layout, storedLayoutOf } from '#analysis/ecoff/layout.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';

export type RelocationLayout = Layout;

/** One number that may be stated. */
export type LayoutField = {
  /** `.text`, `gp`, `@printf`: what `layoutText` writes. Raw text. */
  readonly key: string;
  /** What a person calls it. Raw text. */
  readonly label: string;
  readonly what: 'section' | 'gp' | 'procedure' | 'datum' | 'thread-local';
  /** What the file itself says; null for symbols that it leaves open. */
  readonly stored: bigint | null;
};

/** Values by the key of their field. */
export type LayoutValues = ReadonlyMap<string, bigint>;

const GP = 'gp';
const SYMBOL_MARK = '@';
/** More than a person would fill in. */
const MAX_SECTIONS = 32;
const MAX_SYMBOLS = 48;
const ALLOC = 2n;

/** The layout in which everything stays where the file has it; null where layouts change nothing. */
export function storedLayout(model: ObjectModel): RelocationLayout | null {
  return model.ecoff === null ? null : storedLayoutOf(model.ecoff);
}

/** What can be stated for this file; empty where nothing can. Sections first, then gp, then symbols that the file leaves open. */
export function layoutFields(model: ObjectModel): readonly LayoutField[] {
  const stored = storedLayout(model);
  if (stored === null || !isToBeLinked(model)) return [];
  const { sections, symbols } = model;
  const fields = new Map<string, LayoutField>();
  for (let i = 1; i < sections.count && fields.size < MAX_SECTIONS; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (((sections.flags[i] ?? 0n) & ALLOC) === 0n || fields.has(name)) continue;
    fields.set(name, { key: name, label: name, what: 'section', stored: sections.addr[i] ?? 0n });
  }
  fields.set(GP, { key: GP, label: GP, what: 'gp', stored: stored.gp });
  const most = fields.size + MAX_SYMBOLS;
  for (let i = 0; i < symbols.count && fields.size < most; i++) {
    const name = symbolName(symbols, symbolIndex(i));
    if (!isOpen(model, i) || name === '') continue;
    const key = SYMBOL_MARK + name;
    fields.set(key, { key, label: name, what: kindOf(model, i), stored: null });
  }
  return [...fields.values()];
}

/** Has it entries that a linker would apply? What a linked file still has are compact records. */
function isToBeLinked({ ecoff }: ObjectModel): boolean {
  return ecoff !== null && ecoff.relocations.length > 0;
}

/** `scTlsUndefined`, `scTlsCommon`: their values are offsets in thread-local storage. */
const SC_TLS: ReadonlySet<number> = new Set([9, 29]);

function kindOf({ symbols }: ObjectModel, i: number): LayoutField['what'] {
  if (SC_TLS.has(symbols.shndx[i] ?? 0)) return 'thread-local';
  return symbolType(symbols, symbolIndex(i)) === SymbolType.FUNC ? 'procedure' : 'datum';
}

/** The storage classes in which a symbol's value is what it is, wherever sections go. */
const SC_ABS = 5;

/** Undefined, common, or in a section that the file does not have. */
function isOpen({ symbols }: ObjectModel, i: number): boolean {
  return (symbols.section[i] ?? 0) <= 0 && symbols.shndx[i] !== SC_ABS;
}

/** The layout that `values` state; what they leave out stays as the file has it. Null where layouts change nothing. */
export function layoutOf(model: ObjectModel, values: LayoutValues): RelocationLayout | null {
  const stored = storedLayout(model);
  if (stored === null || values.size === 0) return stored;
  const sections = new Map<string, bigint>();
  const symbols = new Map<string, bigint>();
  for (const [key, value] of values) {
    if (key.startsWith(SYMBOL_MARK)) symbols.set(key.slice(SYMBOL_MARK.length), value);
    else if (key !== GP) sections.set(key, value);
  }
  return { sections, symbols, gp: values.get(GP) ?? stored.gp, link: 'final' };
}

/** `.text=0x120001000,gp=0x140008000`: for the address bar. What parts the text is percent-encoded in keys. */
export function layoutText(values: LayoutValues): string {
  return [...values].map(([key, value]) => `${encoded(key)}=0x${value.toString(16)}`).join();
}

/** The values in such a text. Total: what cannot be read is left out. */
export function parseLayout(text: string): LayoutValues {
  const values = new Map<string, bigint>();
  for (const part of text.split(',')) {
    const [key = '', value = ''] = part.split('=');
    const address = parseAddress(value);
    const name = decoded(key);
    if (address !== null && name !== null && name !== '') values.set(name, address);
  }
  return values;
}

/** An address as a person types it: `0x120001000`, or decimal. Null for anything else, and for more than 64 bits. */
export function parseAddress(text: string): bigint | null {
  const typed = text.trim();
  if (!/^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(typed)) return null;
  const value = BigInt(typed);
  return value < 1n << 64n ? value : null;
}

/** Only what would part the text: the address has its own encoding. */
function encoded(key: string): string {
  return key.replace(/[%,=]/g, (c) => encodeURIComponent(c));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Where Tru64 UNIX puts programs: text here, data there, and shared libraries above. */
const TEXT_START = 0x120001000n;
const DATA_START = 0x140000000n;
const LIBRARY_START = 0x3ff80001000n;
/** From the start of `.lita`: so that 16 bits reach all of its first 64 KiB. */
const GP_DISTANCE = 0x7ff0n;
const WRITE = 1n;
const PAGE = 0x1000n;
/** Data of other objects, behind those of this one. */
const COMMON_START = 0x140100000n;
const DATUM_SIZE = 0x10n;

/** Values as a linker could have chosen them: text, data, gp and libraries where Tru64 UNIX has them. Empty where layouts change nothing. */
export function exampleLayout(model: ObjectModel): LayoutValues {
  const fields = layoutFields(model);
  const sizes = sizesByName(model);
  const values = new Map<string, bigint>();
  const next = { procedure: LIBRARY_START, datum: COMMON_START, 'thread-local': 0n };
  let text = TEXT_START;
  let data = DATA_START;
  for (const { key, what } of fields) {
    if (what === 'gp') continue;
    if (what !== 'section') {
      values.set(key, next[what]);
      next[what] += what === 'procedure' ? PAGE : DATUM_SIZE;
      continue;
    }
    const { size, isWritten } = sizes.get(key) ?? { size: 0n, isWritten: false };
    values.set(key, isWritten ? data : text);
    const length = BigInt.asUintN(48, (size + 15n) & ~15n);
    if (isWritten) data += length;
    else text += length;
  }
  const pool = values.get('.lita') ?? DATA_START;
  if (fields.length > 0) values.set(GP, pool + GP_DISTANCE);
  return values;
}

function sizesByName({ sections }: ObjectModel) {
  const sizes = new Map<string, { readonly size: bigint; readonly isWritten: boolean }>();
  for (let i = sections.count - 1; i > 0; i--) {
    const isWritten = ((sections.flags[i] ?? 0n) & WRITE) !== 0n;
    sizes.set(sectionName(sections, sectionIndex(i)), {
      size: sections.declaredSize[i] ?? 0n,
      isWritten,
    });
  }
  return sizes;
}
