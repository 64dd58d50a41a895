/** Examples of terms among header fields, records of `.BTF.ext` and CO-RE relocations. */
import type { ExtTables } from '#model/ext.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesAt } from './find-types.ts';
import type { Find, Place } from './term.ts';

/** Finds a field by name in the first header whose title begins with `title`, for the Bytes view. */
export function headerField(title: string, name: string): Find {
  return (model) => {
    const fields = model.headers.filter((block) => block.title.startsWith(title));
    const field = fields.flatMap((block) => block.fields).find((each) => each.name === name);
    return field === undefined
      ? null
      : bytesAt(model, field.span.start, field.span.end - field.span.start);
  };
}

/** Finds the first header whose title begins with `title`. */
export function headerBlock(title: string): Find {
  return (model) => {
    const block = model.headers.find((each) => each.title.startsWith(title));
    return block === undefined
      ? null
      : bytesAt(model, block.span.start, block.span.end - block.span.start);
  };
}

/** Finds `length` bytes at `offset` of the first record of a `.BTF.ext` table. */
export function extField(table: keyof ExtTables, offset: number, length: number): Find {
  return (model) => {
    const start = model.ext[table].recordOffset[0];
    return start === undefined ? null : bytesAt(model, start + offset, length);
  };
}

/** Finds a word of the first `struct btf_ext_info_sec`; the struct lies directly before its first record. */
export function extSectionField(offset: number): Find {
  return (model) => {
    const { func, line, core } = model.ext;
    const first = [func, line, core].find(({ count }) => count > 0)?.recordOffset[0];
    return first === undefined ? null : bytesAt(model, first - 8 + offset, 4);
  };
}

/** Finds the `rec_size` of func_info, which lies before the first `struct btf_ext_info_sec`. */
export const recordSizeField: Find = (model) => {
  const first = model.ext.func.recordOffset[0];
  return first === undefined ? null : bytesAt(model, first - 12, 4);
};

/** Finds the first CO-RE record that passes the test. */
export function coreWhere(
  test: (model: ObjectModel, index: number) => boolean,
  view: Place['view'] = 'core',
): Find {
  return (model) => {
    const { core } = model.ext;
    for (let i = 0; i < core.count; i++) {
      if (test(model, i)) {
        return { selection: { kind: 'core', core: coreIndex(i), step: null }, view };
      }
    }
    return null;
  };
}

/** Finds the first CO-RE record of one of the kinds. */
export function coreOf(kinds: readonly number[]): Find {
  return coreWhere((model, i) => kinds.includes(model.ext.core.kind[i] ?? -1));
}
