import { describe, expect, it } from 'vitest';
import { lineAt } from '#analysis/code/source-lines.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { hasClang } from '#testing/clang-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { lineOfRecord, sourceOfRecord } from './record-line.ts';

const TEXT = `
struct task { int pid; int tgid; } __attribute__((preserve_access_index));
__attribute__((section("raw_tp"), used)) int program(struct task **args) {
  struct task *task = args[0];
  int value = task->tgid;
  return value + 1;
}`;

async function compiled(): Promise<ObjectModel> {
  return (await openObject('a.o', compileBpf(TEXT))).model;
}

/** Exchanges the texts of two source lines, as if the compiler had moved instructions. */
function exchange({ ext: { line } }: ObjectModel, a: number, b: number): void {
  for (const column of [line.lineOff, line.lineCol]) {
    [column[a], column[b]] = [column[b] ?? 0, column[a] ?? 0];
  }
}

describe.skipIf(!hasClang)('the source line of a CO-RE record', () => {
  it('is that of its instruction, or another of the function that has the member', async () => {
    const model = await compiled();
    const access = 'int value = task->tgid;';
    expect(lineOfRecord(model, 0)?.text.trim()).toBe(access);
    const { core, line } = model.ext;
    const section = sectionIndex(core.section[0] ?? -1);
    const textOf = (row: number) => lineAt(model, section, line.insnOff[row] ?? 0)?.text.trim();
    const rows = Array.from(line.insnOff.keys());
    const own = rows.filter((row) => textOf(row) === access);
    const other = rows.find((row) => textOf(row) === 'struct task *task = args[0];');
    expect(own).toHaveLength(1);
    if (own[0] === undefined || other === undefined) throw new Error('two lines expected');
    exchange(model, own[0], other);
    expect(lineAt(model, section, core.insnOff[0] ?? 0)?.text.trim()).toBe(
      'struct task *task = args[0];',
    );
    expect(sourceOfRecord(model, 0)).toMatchObject({ line: 5, text: `  ${access}` });
  });

  it('is that of its instruction if no line of the function has the member', async () => {
    const model = await compiled();
    const { core, line } = model.ext;
    line.lineOff.fill(line.lineOff[0] ?? 0);
    expect(lineOfRecord(model, 0)).toBeNull();
    const section = sectionIndex(core.section[0] ?? -1);
    expect(sourceOfRecord(model, 0)).toEqual(lineAt(model, section, core.insnOff[0] ?? 0));
    expect(sourceOfRecord(model, 0)?.line).toBe(5);
  });
});
