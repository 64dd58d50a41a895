import { describe, expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { coreIndex } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { sourceExpression } from './source-expression.ts';

/** Returns the expression of each record of a sample, without and with the names of the source. */
async function expressions(file: string): Promise<Map<string, Set<string>>> {
  const model = await sampleModel(file);
  const { types } = model;
  if (types === null) throw new Error('no types');
  const all = new Map<string, Set<string>>();
  for (let i = 0; i < model.ext.core.count; i++) {
    const record = coreRecord(model, coreIndex(i));
    const { expression } = walkAccess(types, record.root, record.accessStr, record.kind);
    const named = all.get(expression) ?? new Set();
    all.set(expression, named.add(sourceExpression(model, record, expression)));
  }
  return all;
}

describe('the expression of an access', () => {
  it.each([
    ['p->di', ['regs->di']],
    ['p->tgid', ['task->tgid', 'task->real_parent->tgid']],
    ['p->uid.val', ['task->cred->uid.val']],
    ['p->pids[3]', ['signal->pids[3]']],
    ['p->numbers[0].nr', ['pid->numbers[0].nr']],
    ['enum pid_type::PIDTYPE_SID', ['enum pid_type::PIDTYPE_SID']],
  ])('%s has the names of the source line', async (plain, named) => {
    expect([...((await expressions('exec_trace.bpf.o')).get(plain) ?? [])]).toEqual(named);
  });
});
