/**
 * Structs and unions with their holes, as `pahole` 1.24 writes them.
 *
 * In: a table of types. Out: the text of `pahole -F btf FILE` for all of it, or of
 * `pahole -F btf -C NAME FILE` for one type, byte for byte. What pahole says on
 * its standard error is not part of it.
 */
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type ByteText, gathered } from '#print/byte-text.ts';
import { addressSize } from './address-size.ts';
import { CompositeWriter } from './composite-writer.ts';
import { Declaration } from './declaration.ts';
import { Printed } from './printed.ts';
import { Records } from './records.ts';
import { Sizes } from './sizes.ts';
import { TypeNames } from './type-names.ts';
import { enumerationAlone, firstTypedefOf, typedefAlone } from './typedefs.ts';

/** Members, and ends of types, that are written between two yields. */
const STEP_MEMBERS = 1 << 13;

/**
 * Writes all structs and unions of `t`, after those of its base, as the tool does
 * too. Yields the number of own types done after every few thousand members, and
 * at the end.
 */
export function* writePahole(t: TypeTable, out: ByteText): Generator<number, void> {
  const records = new Records(t);
  const declaration = new Declaration(records, new TypeNames(records));
  const writer = writerOf(t, records, declaration, out);
  const printed = new Printed(records);
  let members = 0;
  for (let id = records.first; id <= records.last; id++) {
    if (!printed.add(id)) continue;
    writer.begin(id, null, false);
    while (!writer.advance(STEP_MEMBERS)) yield Math.max(0, id - t.firstId);
    members += records.vlen(id) + 1;
    if (members > STEP_MEMBERS) {
      members = 0;
      yield Math.max(0, id - t.firstId);
    }
  }
  writer.flush();
  yield t.count;
}

/**
 * One struct or union as `pahole -C` writes it, with the first typedef of it when
 * it has no name; also a typedef or an enumeration. Empty for other kinds and for
 * forward declarations, which pahole does not find. Bytes of names that are no
 * UTF-8 come out as `\xNN`.
 */
export function paholeOf(t: TypeTable, id: TypeId): string {
  const records = new Records(t);
  const names = new TypeNames(records);
  const declaration = new Declaration(records, names);
  const composite = (type: number, typedef: string | null, isElement: boolean) =>
    gathered((out) => {
      const writer = writerOf(t, records, declaration, out);
      writer.begin(type, typedef, isElement);
      writer.advance(Number.POSITIVE_INFINITY);
      writer.flush();
    });
  const plain = (text: string) => gathered((out) => out.latin1(text));
  switch (records.kind(id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION: {
      const typedef = records.isNamed(id) ? null : firstTypedefOf(records, id);
      return decodeText(composite(id, typedef, false));
    }
    case BtfKind.TYPEDEF: {
      const written = typedefAlone(records, names, declaration, id);
      if ('text' in written) return decodeText(plain(written.text));
      return decodeText(composite(written.composite, written.declares, written.isElement));
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return decodeText(plain(enumerationAlone(records, id)));
    default:
      return '';
  }
}

function writerOf(
  t: TypeTable,
  records: Records,
  declaration: Declaration,
  out: ByteText,
): CompositeWriter {
  return new CompositeWriter(records, new Sizes(records, addressSize(t)), declaration, out);
}
