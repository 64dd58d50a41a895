import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { decompress } from 'fzstd';
import { JsonRow } from './json-row.ts';

/**
 * Returns the violations in a log: of the SARIF 2.1.0 schema, and of two rules that the schema
 * cannot express (rules by id, URIs by RFC 3986).
 */
export function sarifFaults(log: string): string[] {
  const packed = readFileSync(
    new URL('../../testdata/schemas/sarif-2.1.0-rtm.5.json.zst', import.meta.url),
  );
  const schema = JsonRow.parse(new TextDecoder().decode(decompress(packed)));
  // Removes the draft 4 keywords `id` and `$schema`; the rest means the same in later drafts.
  const { id: _, $schema: _draft, ...rest } = Object.fromEntries(schema.fields);
  const validate = new Ajv({
    allErrors: true,
    strict: false,
    unicodeRegExp: false,
    validateFormats: false,
  }).compile(rest);
  validate(JSON.parse(log));
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath}: ${message}`,
  );
  for (const run of JsonRow.parse(log).rows('runs')) {
    const ids = run
      .row('tool')
      .row('driver')
      .rows('rules')
      .map((rule) => rule.text('id'));
    for (const result of run.rows('results')) {
      if (!ids.includes(result.text('ruleId'))) faults.push(`no rule ${result.text('ruleId')}`);
      for (const location of result.rows('locations')) {
        const uri = location.row('physicalLocation').row('artifactLocation').text('uri');
        if (!/^[\w.~!$&'()*+,;=:@%/-]*$/.test(uri)) faults.push(`not a URI reference: ${uri}`);
      }
    }
  }
  return faults;
}
