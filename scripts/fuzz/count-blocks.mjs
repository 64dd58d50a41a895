// Adds counters to a script: at the start of each function, branch, case and right operand. The
// counts are in one array, which the fuzzer reads.
import { parseAst } from 'vite';

/** Name of the global variable with the array of counters. */
export const COUNTERS = '__fuzzCounters';

/** Returns the script with counters, and the number of counters. */
export function countBlocks(code) {
  const inserts = [];
  let count = 0;
  const bump = () => `${COUNTERS}[${count++}]++`;
  const wrap = ({ start, end }) => {
    inserts.push({ at: start, text: `(${bump()},`, order: 0 });
    inserts.push({ at: end, text: ')', order: -1 });
  };
  const enter = (block) => inserts.push({ at: block.start + 1, text: `${bump()};`, order: 0 });
  const brace = (statement) => {
    if (statement === null || statement.type === 'BlockStatement') return;
    inserts.push({ at: statement.start, text: `{${bump()};`, order: 0 });
    inserts.push({ at: statement.end, text: '}', order: -1 });
  };
  const open = [parseAst(code)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node, {
      wrap,
      enter,
      brace,
      put: (at) => inserts.push({ at, text: `${bump()};`, order: 0 }),
    });
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) open.push(...value.filter(isNode));
      else if (isNode(value)) open.push(value);
    }
  }
  return { code: withInserts(code, inserts), count };
}

function isNode(value) {
  return typeof value === 'object' && value !== null && typeof value.type === 'string';
}

function visit(node, { wrap, enter, brace, put }) {
  switch (node.type) {
    case 'BlockStatement':
      enter(node);
      break;
    case 'ArrowFunctionExpression':
      if (node.body.type !== 'BlockStatement') wrap(node.body);
      break;
    case 'ConditionalExpression':
      wrap(node.consequent);
      wrap(node.alternate);
      break;
    case 'LogicalExpression':
      wrap(node.right);
      break;
    case 'IfStatement':
      brace(node.consequent);
      brace(node.alternate);
      break;
    case 'SwitchCase':
      if (node.consequent.length > 0) put(node.consequent[0].start);
      break;
  }
}

/** Inserts texts. At equal offsets, ends come before starts, and inner ends before outer ends. */
function withInserts(code, inserts) {
  inserts.forEach((insert, i) => {
    insert.seen = i;
  });
  inserts.sort(
    (a, b) => a.at - b.at || a.order - b.order || (a.order < 0 ? b.seen - a.seen : a.seen - b.seen),
  );
  const parts = [];
  let from = 0;
  for (const { at, text } of inserts) {
    parts.push(code.slice(from, at), text);
    from = at;
  }
  parts.push(code.slice(from));
  return parts.join('');
}
