/**
 * Lists the inline sites of functions from the LOCSECs. The LOCSEC `inline.text` or `.text`
 * describes the code section `.text` (include/uapi/linux/btf.h of bpf-next, commit 33c5a327).
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { type LocSite, locParamsOf, locSitesOf, paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, refOf, type TypeTable } from '#model/type-table.ts';
import { dwarfRegister, locationText, type RegisterName } from './locations.ts';

export type InlineSite = LocSite & {
  readonly locsec: TypeId;
  /** Code section of the site; the name of the LOCSEC without its prefix. */
  readonly section: string;
};

const PREFIX = 'inline';

/** Returns the code section that a LOCSEC with this name describes. */
export function codeSectionOf(name: string): string {
  return name.startsWith(`${PREFIX}.`) ? name.slice(PREFIX.length) : name;
}

/** Yields every site of the table and its bases. Sites of the lowest base come first. */
export function* inlineSites(t: TypeTable): Generator<InlineSite, void, undefined> {
  if (t.base !== null) yield* baseSites(t);
  yield* ownSites(t);
}

/** Yields the sites of all bases, lowest base first. Uses no recursion: bases can be many. */
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
  /** Location of the parameter in bpftool's notation; `<unavailable>` without a location. */
  readonly location: string;
};

/** Returns the parameters' locations at the site, or null if the LOC_PROTO does not match. */
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

/** Returns `add(to [rdi], from [<unavailable>])`, or `<invalid>` for a mismatched LOC_PROTO. */
export function siteText(t: TypeTable, site: LocSite, nameOfRegister = dwarfRegister): string {
  const places = parameterPlaces(t, site, nameOfRegister);
  if (places === null) return '<invalid>';
  const words = places.map(({ name, type, location }, i) =>
    type === VOID && i === places.length - 1 ? '...' : `${name || '(anon)'} [${location}]`,
  );
  return `${nameOf(t, site.func)}(${words.join(', ')})`;
}
