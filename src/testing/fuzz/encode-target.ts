/** Fuzz target for BTF out of DWARF: its types, its report and its blob; pahole's text of the DWARF. */
import { distill } from '#analysis/encode/distill.ts';
import { type EncodedFile, encode } from '#analysis/encode/encode.ts';
import { parseFeatures } from '#analysis/encode/features.ts';
import { keptApart, reportRows } from '#analysis/encode/report.ts';
import { blobOf } from '#cli/encode.ts';
import { readEncodedFile } from '#cli/encoded-file.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { ByteText } from '#print/byte-text.ts';
import { decisionLine, keptApartLine } from '#print/encode-report.ts';
import { hasPaholeText, writePaholeOfDwarf } from '#print/pahole/pahole-dwarf.ts';
import { type Opened, orMalformed, type ReportStep } from './opened.ts';

/** Features of pahole's default, and all that change what is encoded. */
const SETS = [
  'var,decl_tag,type_tag,enum64',
  'default',
  'default,global_var,attributes,true_signature,layout',
];
/** Maximum length of pahole's text in bytes. */
const MAX_TEXT = 1 << 22;

/** Encodes a file that is open. The BTF must open without an error. */
export async function encodeDwarf(
  { model, source }: Opened,
  reportStep: ReportStep,
): Promise<void> {
  if (model.format !== 'elf') return;
  reportStep('sections');
  const file = await orMalformed(() => readEncodedFile(source, model));
  if (file === null) return;
  for (const set of SETS) {
    reportStep(`encode with ${set}`);
    await orMalformed(() => encodeWith(file, set));
  }
  reportStep('text of pahole');
  await orMalformed(async () => writeText(file));
}

async function encodeWith(file: EncodedFile, set: string): Promise<void> {
  const { features } = parseFeatures(set);
  const encoded = encode(file, { features, base: null, isReported: true });
  for (const row of reportRows(encoded, file.dwarf)) decisionLine(row);
  for (const each of keptApart(encoded)) keptApartLine(each);
  if (encoded.deduped === null) return;
  const { types } = encoded.deduped;
  const opened = await ingestBytes('out', blobOf(types, features));
  const errors = opened.kind === 'object' ? opened.model.issues : [];
  const [error] = errors.filter(({ severity }) => severity === 'error');
  if (error !== undefined) throw new Error(`the BTF has an error: ${error.message}`);
  distill(types);
}

function writeText(file: EncodedFile): void {
  if (!hasPaholeText(file.dwarf)) return;
  const out = new ByteText(() => undefined);
  for (const _step of writePaholeOfDwarf(file, out)) if (out.length > MAX_TEXT) return;
}
