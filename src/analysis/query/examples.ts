/** Example queries for the page. The user can run and edit them. */

export type QueryExample = { readonly title: string; readonly sql: string };

export const EXAMPLES: readonly QueryExample[] = [
  {
    title: 'Largest structs',
    sql: `SELECT file, kernel, name, size, members
FROM types
WHERE kind = 'struct' AND name <> ''
ORDER BY size DESC
LIMIT 20`,
  },
  {
    title: 'Structs with most members',
    sql: `SELECT file, kernel, name, members, size
FROM types
WHERE kind = 'struct'
ORDER BY members DESC
LIMIT 20`,
  },
  {
    title: 'Structs that lose most bytes to holes',
    sql: `SELECT file, kernel, name, size, holes, (hole_bits + padding_bits) / 8 AS lost_bytes
FROM types
WHERE kind = 'struct' AND name <> '' AND hole_bits > 0
ORDER BY lost_bytes DESC
LIMIT 20`,
  },
  {
    title: 'Bit-fields',
    sql: `SELECT file, kernel, type, name, bit_offset, bits, type_name
FROM members
WHERE bitfield = TRUE
LIMIT 1000`,
  },
  {
    title: 'Members of one type',
    sql: `SELECT file, kernel, type, name, bit_offset / 8 AS byte_offset, type_name
FROM members
WHERE type_name = 'struct list_head'
LIMIT 1000`,
  },
  {
    title: 'Most used types of members',
    sql: `SELECT type_name, COUNT(*) AS members
FROM members
GROUP BY type_name
ORDER BY members DESC
LIMIT 20`,
  },
  {
    title: 'Functions with more than 5 parameters',
    sql: `SELECT file, kernel, name, params, prototype
FROM functions
WHERE params > 5
ORDER BY params DESC, name
LIMIT 1000`,
  },
  {
    title: 'Functions that take a sk_buff',
    sql: `SELECT file, kernel, function, position, prototype
FROM params
WHERE type_name = 'struct sk_buff *'
LIMIT 1000`,
  },
  {
    title: 'Kfuncs',
    sql: `SELECT file, kernel, name, prototype
FROM functions
WHERE kfunc = TRUE
ORDER BY name`,
  },
  {
    title: 'Members that moved between two kernels',
    sql: `SELECT a.name, a.kernel, a.bit_offset / 8 AS byte_offset, b.kernel AS other, b.bit_offset / 8 AS there
FROM members a
JOIN members b ON b.type = a.type AND b.name = a.name
WHERE a.type = 'task_struct' AND a.name <> ''
  AND a.kernel < b.kernel AND a.bit_offset <> b.bit_offset
ORDER BY a.bit_offset`,
  },
  {
    title: 'Functions that one kernel has and another lacks',
    sql: `SELECT name, MIN(kernel) AS kernel
FROM functions
WHERE kernel <> ''
GROUP BY name
HAVING COUNT(DISTINCT kernel) < (SELECT COUNT(*) FROM kernels)
ORDER BY name
LIMIT 1000`,
  },
  {
    title: 'Values of an enum',
    sql: `SELECT file, kernel, name, value
FROM enumerators
WHERE enum = 'bpf_prog_type'
ORDER BY value`,
  },
  {
    title: 'Relocations by symbol',
    sql: `SELECT file, symbol, type, COUNT(*) AS entries
FROM relocations
GROUP BY file, symbol, type
ORDER BY entries DESC`,
  },
  {
    title: 'CO-RE relocations by field',
    sql: `SELECT file, path, kind, COUNT(*) AS records
FROM core_relocations
GROUP BY file, path, kind
ORDER BY records DESC, path`,
  },
];
