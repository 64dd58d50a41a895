/** A line of the verifier's log as a row of JSON: `explain --lines --json` prints one per line. */
import type { State, Value, VerifierLine } from '#formats/verifier-log/line.ts';

type RowValue = string | number | boolean | null | readonly RowValue[] | RowFields;
type RowFields = { readonly [key: string]: RowValue };

/** Returns the row of a line; `n` counts from 1. Numbers of values are text, as in the log. */
export function lineRow(n: number, line: VerifierLine): RowFields {
  const head = { n, class: line.class };
  switch (line.class) {
    case 'insn': {
      const { i, op, text, stateAt } = line;
      const at = stateAt === null ? {} : { state_at: stateAt };
      return { ...head, i, op, text, ...at, ...stateFields(line.state) };
    }
    case 'state':
      return { ...head, ...(line.i === null ? {} : { i: line.i }), ...stateFields(line.state) };
    case 'from-to': {
      const { from, to, isSpeculative } = line;
      return { ...head, from, to, spec: isSpeculative, ...stateFields(line.state) };
    }
    case 'state-title':
      return { ...head, which: line.which, ...stateFields(line.state) };
    case 'source':
      return { ...head, text: line.text, file: line.file, line: line.line };
    default:
      return head;
  }
}

function stateFields(state: State | null): RowFields {
  if (state === null) return {};
  const { regs, stack, frame, refs, flags } = state;
  return {
    regs: valuesOf(regs),
    stack: valuesOf(stack),
    ...(frame === 0 ? {} : { frame }),
    ...(refs.length === 0 ? {} : { refs: refs.map(String) }),
    ...(flags.length === 0 ? {} : { flags }),
  };
}

function valuesOf(values: ReadonlyMap<string, Value>): RowFields {
  return Object.fromEntries([...values].map(([name, value]) => [name, valueFields(value)]));
}

function valueFields(value: Value): RowFields {
  const { isBare, kv, ...fields } = value;
  const hasBrackets =
    isBare === undefined &&
    value.const === undefined &&
    value.off === undefined &&
    value.type !== 'slots';
  if (!hasBrackets) return fields;
  // A key without a value is true: `non_own_ref`. The name of a map may be empty.
  return { ...fields, kv: kv.map(([key, text]) => [key, key === 'non_own_ref' || text]) };
}
