// What scripts/kernel-verdicts.mjs takes from our sources.
import { checkBtf, recordsOf } from '#analysis/check/check.ts';
import { mapFaultsOf } from '#analysis/check/map-rules.ts';
import { ruleBlobs } from '#testing/field-rule-blobs.ts';

/** Our verdict for a kernel 6.18. */
export function judge(bytes) {
  return checkBtf(new Uint8Array(bytes), null).kernel;
}

/** With which errno each map is refused whose value has that type of an accepted blob, or `ok`. */
export function judgeMaps(bytes, maps) {
  const records = recordsOf(new Uint8Array(bytes));
  return maps.map(({ type, flags, value }) => {
    const map = { name: 'm', mapType: type, flags: BigInt(flags), valueType: value };
    const [fault] = mapFaultsOf(records, [map]);
    return fault?.errno ?? 'ok';
  });
}

/** The blobs of the tests, each of which breaks a rule. */
export const brokenBlobs = ruleBlobs().map((bytes) => Buffer.from(bytes));
