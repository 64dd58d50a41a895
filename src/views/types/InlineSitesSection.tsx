import { useMemo, useState } from 'react';
import { type InlineSite, inlineSites, siteText } from '#analysis/types/inline-sites.ts';
import { MACHINES, registersOf } from '#analysis/types/locations.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { type FileId, type OpenFile, useSession } from '#store/session/session.ts';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { column, NUMBER, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { ItemTable } from './ItemSections.tsx';

type InlineSitesProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
};

/** Shows where a FUNC was inlined, or which functions were inlined into a LOCSEC's section. */
export function InlineSitesSection({ fileId, types, type }: InlineSitesProps) {
  const isFunc = kindOf(types, type) === BtfKind.FUNC;
  const all = useMemo(() => {
    const sites: InlineSite[] = [];
    for (const site of inlineSites(types)) {
      if ((isFunc ? site.func : site.locsec) === type) sites.push(site);
    }
    return sites;
  }, [types, type, isFunc]);
  const fileMachine = useSession((state) =>
    machineName(state.files.find(({ id }) => id === fileId)),
  );
  const [machine, setMachine] = useState(fileMachine);
  const { query: wanted, box } = useFilter();
  const shown = useMemo(() => sitesAt(all, wanted), [all, wanted]);
  const columns = useMemo(
    () => siteColumns(types, shown, MACHINES.get(machine) ?? null, isFunc),
    [types, shown, machine, isFunc],
  );
  if (isFunc && all.length === 0) return null;
  return (
    <DetailSection
      title={isFunc ? 'Inlined at' : 'Inlined functions'}
      aside={countOf(all.length, 'site')}
    >
      <div className="wrapping gap-2">
        <FoundList label="Offset" placeholder="Offset, 0x40" {...box} />
        <label className="row gap-2 small">
          Registers
          <select value={machine} onChange={(event) => setMachine(event.target.value)}>
            {MACHINE_NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <ItemTable
        label={isFunc ? 'Inlined at' : 'Inlined functions'}
        columns={columns}
        count={shown.length}
        emptyText={`No function was inlined at ${wanted}.`}
        onActivate={(row) => {
          const site = shown[row];
          if (site !== undefined) select(typeSelection(isFunc ? site.locsec : site.func));
        }}
      />
    </DetailSection>
  );
}

/** Label of the option that shows registers by their DWARF numbers. */
const NUMBERS = 'DWARF numbers';
const MACHINE_NAMES = [NUMBERS, ...MACHINES.keys()];

/** Returns the name of the machine; empty for a file that contains only BTF. */
function machineName(file: OpenFile | undefined): string {
  const number = file?.status.step === 'ready' ? file.status.model.machine?.number : undefined;
  return [...MACHINES].find(([, machine]) => machine === number)?.[0] ?? NUMBERS;
}

/** Returns the sites at a decimal or hexadecimal offset. An empty text returns all sites. */
function sitesAt(sites: readonly InlineSite[], wanted: string): readonly InlineSite[] {
  const text = wanted.trim();
  return text === '' ? sites : sites.filter(({ offset }) => offset === Number(text));
}

function siteColumns(
  types: TypeTable,
  sites: readonly InlineSite[],
  machine: number | null,
  isFunc: boolean,
): TableColumn[] {
  const registers = registersOf(machine);
  const place = isFunc
    ? column<InlineSite>('section', 'Section', 110, ({ section }) => <Name text={section} />, {
        mono: true,
      })
    : column<InlineSite>('function', 'Function', 160, ({ func }) => (
        <TypeLink types={types} type={func} badge />
      ));
  return rowColumns<InlineSite>(
    (row) => sites[row] ?? null,
    [
      place,
      column('offset', 'Offset', 100, ({ offset }) => offsetCell(offset), NUMBER),
      column(
        'parameters',
        'Parameters',
        320,
        (site) => <Name text={siteText(types, site, registers)} />,
        { grow: 1, mono: true },
      ),
    ],
  );
}
