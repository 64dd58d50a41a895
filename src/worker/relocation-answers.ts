/** Computes relocation entries of a file. Loaded with the first request: most files need none. */
import { givenInLayout } from '#analysis/relocations/address-fields.ts';
import {
  type ComputedRelocation,
  computedRelocation,
} from '#analysis/relocations/computed-relocation.ts';
import { RelocationEvaluations } from '#analysis/relocations/evaluate.ts';
import type { LinkAddresses } from '#analysis/relocations/evaluated.ts';
import { givenAddresses } from '#analysis/relocations/given-addresses.ts';
import { parseLayout } from '#analysis/relocations/layout.ts';
import { linkedAddresses } from '#analysis/relocations/linked-file.ts';
import { mergeableSections, readSections } from '#analysis/relocations/relocated-sections.ts';
import { Malformed } from '#bytes/issue.ts';
import type { Context } from '#bytes/long-work.ts';
import type { ByteSource } from '#bytes/source.ts';
import { ingest } from '#ingest/ingest.ts';
import { relocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { LinkedFileParams, Methods } from './protocol.ts';

type Opened = { readonly model: ObjectModel; readonly source: ByteSource };

type Params = Methods['computeRelocation']['params'];

/** Opens the bytes of another file. */
type OpenSource = (name: string, file: LinkedFileParams['file']) => Promise<ByteSource>;

/** Entries evaluated with the same addresses. */
type Evaluations = {
  readonly key: string;
  readonly addresses: LinkAddresses;
  readonly entries: RelocationEvaluations;
};

export class RelocationAnswers {
  readonly opened: Opened;
  /** Evaluations with the addresses of the last request. */
  #latest: Evaluations | null = null;

  constructor(opened: Opened) {
    this.opened = opened;
  }

  async answer(
    params: Params,
    context: Context,
    open: OpenSource,
  ): Promise<ComputedRelocation | null> {
    const { model, source } = this.opened;
    const { addresses, entries } = await this.#evaluations(params, context, open);
    const target = model.relocations.targetSection[params.reloc] ?? -1;
    const contents = await readSections(model, source, [target]);
    const bytes = contents.get(target) ?? new Uint8Array(0);
    const evaluated = entries.of(relocIndex(params.reloc), bytes);
    return evaluated && computedRelocation(model, evaluated, addresses);
  }

  async #evaluations(
    { layout, linked }: Params,
    context: Context,
    open: OpenSource,
  ): Promise<Evaluations> {
    const key = linked === null ? `layout ${layout}` : `linked ${linked.key}`;
    if (this.#latest?.key === key) return this.#latest;
    const { model } = this.opened;
    const addresses =
      linked === null
        ? givenAddresses(model, givenInLayout(parseLayout(layout)))
        : await this.#linkedAddresses(linked, context, open);
    this.#latest = { key, addresses, entries: new RelocationEvaluations(model, addresses) };
    return this.#latest;
  }

  async #linkedAddresses(
    { name, file }: LinkedFileParams,
    context: Context,
    open: OpenSource,
  ): Promise<LinkAddresses> {
    const { model, source } = this.opened;
    const read = await ingest(await open(name, file), context);
    if (read.kind !== 'object' || read.model.machine?.number !== model.machine?.number) {
      throw new Malformed({
        code: 'relocations.linked',
        region: name,
        message: `${name} is a file for another machine`,
        span: null,
        expected: `a linked file for ${model.machine?.name ?? 'this machine'}`,
        found: read.kind === 'object' ? (read.model.machine?.name ?? 'no machine') : read.kind,
        advice: 'Choose the file that the linker made of this object.',
      });
    }
    const bytes = await read.source.read(0, read.source.size);
    const mergeable = await mergeableSections(model, source);
    return linkedAddresses(model, { model: read.model, bytes, mapped: [], mergeable });
  }
}
