import { drawnName } from '#bytes/text.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { type SymbolIndex, symbolIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { symbolBinding, symbolName } from '#model/symbols.ts';
import {
  arrayData,
  intData,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { declarationText } from '#print/value-text.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { longSize } from '#views/parts/number-text.ts';
import { ShowType } from '#views/parts/SelectButton.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { DataArticle, type DetailProps, SectionLink, UsedBy } from './DataArticle.tsx';
import { EntryBadge } from './DataListPane.tsx';
import { type DataEntry, type DataGroup, typeOfEntry } from './data-entries.ts';

type ExternDetailProps = DetailProps & {
  readonly group: DataGroup;
  readonly entry: DataEntry;
};

/** Shows an extern, which the file does not define, and where libbpf takes its value from. */
export function ExternDetail(props: ExternDetailProps) {
  const { active, group, entry } = props;
  const { model } = active;
  const { types } = model;
  const isFunction = entry.kind === 'func';
  const variable = entry.kind === 'variable' ? entry.variable : null;
  const extern: Extern = {
    name: entry.name,
    section: group.name,
    isFunction,
    type: isFunction ? entry.func : (variable?.type ?? null),
    isWeak: isWeakSymbol(model, undefinedSymbol(model, entry.name)),
  };
  const { from, missing } = externText(types, extern);
  const declared = typeOfEntry(entry);
  const shownType =
    isFunction && types !== null && declared !== null ? refOf(types, declared) : extern.type;
  return (
    <DataArticle
      of={props}
      title={entry.name}
      badge={<EntryBadge model={model} entry={entry} />}
      facts={{
        Type:
          types === null || declared === null || extern.type === null ? null : (
            <TypeLink types={types} type={extern.type} />
          ),
        Section: <SectionLink {...group} />,
        Size: variable === null ? null : longSize(BigInt(Math.max(0, variable.byteSize))),
        Linkage: extern.isWeak ? 'extern, weak' : 'extern',
      }}
      actions={declared === null ? undefined : <ShowType type={declared} />}
      about={
        types === null || shownType === null ? undefined : (
          <code className="small mono break strong">
            {`extern ${drawnName(declarationText(types, shownType, entry.name))}${marksOf(extern)};`}
          </code>
        )
      }
    >
      <DetailSection title="Value source">
        <p>{from}</p>
        <p>{missing}</p>
      </DetailSection>
      <UsedBy active={active} section={null} byteOffset={null} byteSize={0} name={entry.name} />
    </DataArticle>
  );
}

/** Returns the macros of bpf_helpers.h that follow the name in a C declaration. */
function marksOf({ section, isWeak }: Extern): string {
  const place = section === '.ksyms' ? ' __ksym' : section === '.kconfig' ? ' __kconfig' : '';
  return `${place}${isWeak ? ' __weak' : ''}`;
}

/**
 * Name that the file does not define. Source: libbpf's bpf_object__resolve_externs and the
 * functions that it calls.
 */
type Extern = {
  /** Name of the extern, not escaped. */
  readonly name: string;
  /** Section of the extern: `.ksyms`, `.kconfig`, or that of another file's variable. */
  readonly section: string;
  readonly isFunction: boolean;
  readonly type: TypeId | null;
  readonly isWeak: boolean;
};

/** Returns the undefined symbol that has this name; null if there is none. */
export function undefinedSymbol({ symbols }: ObjectModel, name: string): SymbolIndex | null {
  for (let row = 1; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    if (symbols.section[row] === 0 && symbolName(symbols, symbol) === name) return symbol;
  }
  return null;
}

export function isWeakSymbol({ symbols }: ObjectModel, symbol: SymbolIndex | null): boolean {
  return symbol !== null && symbolBinding(symbols, symbol) === 2;
}

/** Returns where libbpf finds the value of an extern, and what happens if there is none. */
export function externText(
  types: TypeTable | null,
  extern: Extern,
): { readonly from: string; readonly missing: string } {
  const { section, isFunction, isWeak } = extern;
  const missing = isWeak
    ? 'Weak: if it is missing, libbpf writes 0 and the object loads.'
    : 'Strong: if it is missing, the object does not load.';
  if (section === '.kconfig') return { from: kconfigWords(types, extern), missing };
  if (section !== '.ksyms') {
    return {
      from: 'Another file defines it. bpftool gen object links both.',
      missing: isWeak ? missing : 'Until then the object does not load.',
    };
  }
  return {
    from: isFunction ? FUNCTION : isTypeless(types, extern.type) ? TYPELESS : TYPED,
    missing,
  };
}

const FUNCTION =
  'A kernel function that programs may call (kfunc). libbpf looks it up in the BTF of the kernel and its modules, compares the prototypes, and writes the BTF id into imm of each call.';
const TYPED =
  'A typed variable of the kernel. libbpf looks it up in the BTF of the kernel and its modules and compares the types; the verifier checks reads by its BTF type.';
const TYPELESS =
  'An address without a type. libbpf looks it up in /proc/kallsyms; for the verifier it is a scalar.';

function isTypeless(types: TypeTable | null, type: TypeId | null): boolean {
  return types === null || type === null || kindOf(types, skipModifiers(types, type)) === 0;
}

const LINUX_EXTERNS: ReadonlyMap<string, string> = new Map([
  [
    'LINUX_KERNEL_VERSION',
    'libbpf writes the version of the running kernel, KERNEL_VERSION(a, b, c).',
  ],
  ['LINUX_HAS_BPF_COOKIE', 'libbpf writes 1 if the kernel has bpf_get_attach_cookie(), else 0.'],
  ['LINUX_HAS_SYSCALL_WRAPPER', 'libbpf writes 1 if the kernel has syscall wrappers, else 0.'],
]);

function kconfigWords(types: TypeTable | null, { name, type }: Extern): string {
  const fixed = LINUX_EXTERNS.get(name);
  if (fixed !== undefined) return fixed;
  const from = 'libbpf reads it from /proc/config.gz, or /boot/config- of the running kernel.';
  return `${from} ${kconfigForm(types, type)}`.trimEnd();
}

function kconfigForm(types: TypeTable | null, type: TypeId | null): string {
  if (types === null || type === null) return '';
  const bare = skipModifiers(types, type);
  switch (kindOf(types, bare)) {
    case BtfKind.INT: {
      const { encoding, bits } = intData(types, bare);
      if ((encoding & IntEncoding.BOOL) !== 0) return 'y is stored as true.';
      if (bits === 8) return 'y, m and n are stored as the character.';
      return 'Its number must fit the type.';
    }
    case BtfKind.ENUM:
      return nameOf(types, bare) === 'libbpf_tristate'
        ? 'n, y and m become TRI_NO, TRI_YES and TRI_MODULE.'
        : 'Only enum libbpf_tristate is allowed for it.';
    case BtfKind.ARRAY:
      return `A string of up to ${Math.max(0, arrayData(types, bare).nelems - 1)} bytes; a longer one is cut.`;
    default:
      return '';
  }
}
