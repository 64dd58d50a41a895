/**
 * Lists the inline sites of functions from the LOCSECs. A LOCSEC describes one code section:
 * `inline.text` or `.text` describes `.text` (include/uapi/linux/btf.h of bpf-next, commit 33c5a327).
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { type LocSite, locParamsOf, locSitesOf, paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, refOf, type TypeTable } from '#model/type-table.ts';
import { dwarfRegister, locationText, type RegisterName } from './locations.ts';

export type InlineSite = LocSite & {
  readonly locsec: TypeId;
  /** Name of the code section, without the prefix of the LOCSEC's name. */
  readonly section: string;
};

const PREFIX = 'inline';

/** Returns the code section of a LOCSEC with this name. */
export function codeSectionOf(name: string): string {
  return name.startsWith(`${PREFIX}.`) ? name.slice(PREFIX.length) : name;
}

/** Yields every site of the table and its bases, starting with the first base. */
export function* inlineSites(t: TypeTable): Generator<InlineSite, void, undefined> {
  if (t.base !== null) yield* baseSites(t);
  yield* ownSites(t);
}

/** Yields the sites of all bases, to any depth. */
function* baseSites(t: TypeTable): Generator<InlineSite, void, undefined> {
  const bases: TypeTable[] = [];
  for (let base = t.base; base !== null; base = base.base) bases.push(base);
  for (const base of bases.reverse()) yield* ownSites(base);
}

function* ownSites(t: TypeTable): Generator<InlineSite, void, undefined> {
  for (let id = t.firstId; id <= lastId(t); id++) {
    const locsec = typeId(id);
    if (kindOf(t, locsec) !== BtfKind.LOCSEC) continue;
    const section = codeSectionOf(nameOf(t, locsec));
    for (const site of locSitesOf(t, locsec)) yield { ...site, locsec, section };
  }
}

export type ParameterPlace = {
  readonly name: string;
  readonly type: TypeId;
  /** Location in bpftool's notation; `<unavailable>` without a location. */
  readonly location: string;
};

/** Returns the locations of the parameters at the site; null for a LOC_PROTO with other parameters or kinds. */
export function parameterPlaces(
  t: TypeTable,
  { func, locProto }: Pick<LocSite, 'func' | 'locProto'>,
  nameOfRegister: RegisterName = dwarfRegister,
): ParameterPlace[] | null {
  const proto = refOf(t, func) ?? VOID;
  if (kindOf(t, func) !== BtfKind.FUNC || kindOf(t, proto) !== BtfKind.FUNC_PROTO) return null;
  const locations = locParamsOf(t, locProto);
  const params = paramsOf(t, proto);
  if (kindOf(t, locProto) !== BtfKind.LOC_PROTO || locations.length !== params.length) return null;
  return params.map(({ name, type }, i) => {
    const location = locations[i] ?? VOID;
    return {
      name,
      type,
      location: location === VOID ? '<unavailable>' : locationText(t, location, nameOfRegister),
    };
  });
}

/** `add(to [rdi], from [<unavailable>])`; `<invalid>` if the LOC_PROTO does not fit. Raw text. */
export function siteText(t: TypeTable, site: LocSite, nameOfRegister = dwarfRegister): string {
  const places = parameterPlaces(t, site, nameOfRegister);
  if (places === null) return '<invalid>';
  const words = places.map(({ name, type, location }, i) =>
    type === VOID && i === places.length - 1 ? '...' : `${name || '(anon)'} [${location}]`,
  );
  return `${nameOf(t, site.func)}(${words.join(', ')})`;
}
