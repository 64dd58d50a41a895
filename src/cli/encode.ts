/** `btfscope encode`: writes the BTF that pahole makes of DWARF, and says what it leaves out. */
import { distill } from '#analysis/encode/distill.ts';
import { type Encoded, encode as encodeFile } from '#analysis/encode/encode.ts';
import {
  FEATURE_NAMES,
  type Feature,
  PLAIN_FEATURES,
  parseFeatures,
} from '#analysis/encode/features.ts';
import { type KeptApart, keptApart, type ReportRow, reportRows } from '#analysis/encode/report.ts';
import { counted, visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { rawBtf } from '#formats/btf/write.ts';
import type { DwarfReader } from '#formats/dwarf/reader.ts';
import { typeId } from '#model/ids.ts';
import { formatName } from '#model/object-model.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { decisionLine, decisionText, keptApartLine } from '#print/encode-report.ts';
import {
  BASE,
  type Call,
  type Command,
  CommandFailure,
  flag,
  UsageError,
  valued,
} from './command.ts';
import { readEncodedFile } from './encoded-file.ts';
import { openBase, openElf } from './open.ts';

export const encode: Command = {
  name: 'encode',
  positionals: ['FILE'],
  options: [
    valued('o', 'OUT', 'the file to write'),
    BASE,
    valued(
      'btf-features',
      'LIST',
      `features by pahole’s names, with commas: default, or of ${FEATURE_NAMES.join(', ')}`,
    ),
    flag('report', 'print why each function, variable and type is left out or merged'),
    flag('json', 'print JSON'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  const features = featuresOf(call);
  const base = await openBase(call.io, call.all('base'));
  if (features.has('distilled_base') && base === null) {
    throw new UsageError('--btf-features: distilled_base needs --base');
  }
  call.io.progress('reading DWARF');
  const file = await openEncoded(call, path);
  call.io.progress('encoding');
  const isReported = call.has('report');
  const encoded = encodeFile(file, { features, base: base?.types ?? null, isReported });
  const out = call.option('o');
  const blob = encoded.deduped === null ? null : blobOf(encoded.deduped.types, features);
  if (out !== null) {
    if (blob === null) {
      throw new CommandFailure(
        `${visible(path)} has no type and no function to encode; ${visible(out)} is not written`,
      );
    }
    if (encoded.deduped !== null && features.has('distilled_base')) {
      const distilled = distill(encoded.deduped.types);
      call.io.save(`${out}.base`, distilled.base);
      call.io.save(out, distilled.split);
    } else {
      call.io.save(out, blob);
    }
  }
  const counts = countsOf(encoded.deduped?.types ?? null);
  await call.print(
    () => ({
      out,
      size: blob?.length ?? 0,
      ...counts,
      decisions: isReported ? [...reportRows(encoded, file.dwarf)].map(decisionFacts) : [],
      kept_apart: isReported ? [...keptApart(encoded)].map(apartFacts) : [],
    }),
    () => lines(encoded, file.dwarf, counts, isReported),
  );
}

function featuresOf(call: Call): ReadonlySet<Feature> {
  const list = call.option('btf-features');
  if (list === null) return PLAIN_FEATURES;
  const { features, unknown } = parseFeatures(list);
  const [first] = unknown;
  if (first !== undefined) {
    throw new UsageError(`--btf-features: there is no feature "${first}"`);
  }
  return features;
}

/** Opens FILE and reads its DWARF. Rejects if it has none. */
async function openEncoded(call: Call, path: string) {
  const { model, source } = await openElf(call.io, path);
  if (model.format !== 'elf') {
    throw new CommandFailure(`${visible(path)} is not an ELF file but ${formatName(model)}`);
  }
  const file = await readEncodedFile(source, model);
  if (file !== null) return file;
  throw new CommandFailure(`${visible(path)} has no DWARF to encode: it has no .debug_info`);
}

/** Returns the types as libbpf writes them. */
export function blobOf(types: TypeTable, features: ReadonlySet<Feature>): Uint8Array {
  const { blob, recordOff, count, strStart, strEnd, endian, firstId } = types;
  return rawBtf({
    types: blob.subarray(recordOff[0] ?? 0, recordOff[count] ?? 0),
    strings: blob.subarray(strStart, strEnd),
    endian,
    // A base has the layout for the modules on it.
    hasLayout: features.has('layout') && firstId === 1,
  });
}

type Counts = { readonly types: number; readonly functions: number; readonly variables: number };

function countsOf(types: TypeTable | null): Counts {
  const counts = { types: types?.count ?? 0, functions: 0, variables: 0 };
  if (types === null) return counts;
  for (let i = 0; i < types.count; i++) {
    const kind = kindOf(types, typeId(types.firstId + i));
    if (kind === BtfKind.FUNC) counts.functions += 1;
    if (kind === BtfKind.VAR) counts.variables += 1;
  }
  return counts;
}

function* lines(
  encoded: Encoded,
  dwarf: DwarfReader,
  { types, functions, variables }: Counts,
  isReported: boolean,
): Generator<string> {
  const parts = [counted(functions, 'function'), counted(variables, 'variable')];
  yield `${counted(types, 'type')}, of them ${parts.join(' and ')}`;
  if (!isReported) return;
  for (const row of reportRows(encoded, dwarf)) yield decisionLine(row);
  for (const each of keptApart(encoded)) yield keptApartLine(each);
}

function decisionFacts(row: ReportRow) {
  const { subject, name, offset, reason, detail, unit, file, line } = row;
  return { subject, name, offset, reason, detail, unit, file, line, text: decisionText(row) };
}

function apartFacts(apart: KeptApart) {
  const { kind, name, first, id, offset, path, why } = apart;
  return { kind, name, first, id, offset, path: path.join('.'), why };
}
