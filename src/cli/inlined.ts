/** `btfscope inlined`: prints the inlined copies of a function, or the functions at an address. */
import {
  type InlineSite,
  inlineSites,
  parameterPlaces,
  siteText,
} from '#analysis/types/inline-sites.ts';
import { MACHINES, type RegisterName, registersOf } from '#analysis/types/locations.ts';
import { hexText, visible } from '#bytes/text.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { BASE, type Call, type Command, flag, UsageError, valued } from './command.ts';
import { openFileTypes } from './open.ts';

const MACHINE_NAMES = [...MACHINES.keys()];

export const inlined: Command = {
  name: 'inlined',
  positionals: ['FILE'],
  options: [
    BASE,
    valued('func', 'NAME', 'print the sites of this function only'),
    valued('at', 'SECTION+OFFSET', 'print what was inlined at this address: .text+0x40'),
    valued('machine', MACHINE_NAMES.join('|'), 'names of registers; default that of FILE'),
    flag('json', 'print JSON'),
  ],
  more: ['Offsets are from the start of the section in the running kernel or module.'],
  run,
};

async function run(call: Call): Promise<void> {
  const isWanted = wantedSites(call);
  const { model, types } = await openFileTypes(call);
  const registers = registersOf(machineOf(call) ?? model.machine?.number ?? null);
  await call.print(
    () => Array.from(sites(types, isWanted), (site) => siteFacts(types, site, registers)),
    () => lines(types, isWanted, registers),
  );
}

type Wanted = (site: InlineSite, t: TypeTable) => boolean;

function wantedSites(call: Call): Wanted {
  const func = call.option('func');
  const at = call.option('at');
  const place = at === null ? null : placeOf(at);
  return (site, t) =>
    (func === null || nameOf(t, site.func) === func) &&
    (place === null || (site.section === place.section && site.offset === place.offset));
}

function placeOf(text: string): { readonly section: string; readonly offset: number } {
  const [, section = '', offset = ''] = /^(.+)\+(0x[0-9a-f]+|\d+)$/i.exec(text) ?? [];
  if (section === '')
    throw new UsageError(`"${visible(text)}" is not SECTION+OFFSET, as .text+0x40`);
  return { section, offset: Number(offset) };
}

function machineOf(call: Call): number | null {
  const name = call.option('machine');
  if (name === null) return null;
  const machine = MACHINES.get(name);
  if (machine === undefined) throw new UsageError(`unknown machine "${visible(name)}"`);
  return machine;
}

function* sites(t: TypeTable, isWanted: Wanted): Generator<InlineSite> {
  for (const site of inlineSites(t)) if (isWanted(site, t)) yield site;
}

function siteFacts(t: TypeTable, site: InlineSite, registers: RegisterName) {
  const { locsec, section, offset, func, locProto } = site;
  const places = parameterPlaces(t, site, registers);
  return {
    section,
    offset,
    function: nameOf(t, func),
    func_type_id: func,
    loc_proto_type_id: locProto,
    locsec_type_id: locsec,
    parameters: places?.map(({ name, location }) => ({ name, location })),
  };
}

function* lines(t: TypeTable, isWanted: Wanted, registers: RegisterName): Generator<string> {
  for (const site of sites(t, isWanted)) {
    yield `${visible(site.section)}+${hexText(site.offset)}  ${visible(siteText(t, site, registers))}`;
  }
}
